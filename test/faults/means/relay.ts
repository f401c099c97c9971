import net from "node:net";

interface Line {
  readonly near: net.Socket;
  /** Nothing passes any more in either direction, not even that the other end has closed. */
  isCut: boolean;
}

/**
 * A door on this machine before a neighbour, which fails in the ways of a network.
 *
 * @param target the neighbour's URL, with its port.
 */
export async function openRelay(target: string) {
  const lines = new Set<Line>();
  let isSilent = false;
  let delayMs = 0;

  const server = net.createServer((near) => {
    const far = net.connect(Number(new URL(target).port), "127.0.0.1");
    const line: Line = { near, isCut: isSilent };
    lines.add(line);
    const pass = (run: () => void) => {
      if (!line.isCut) run();
    };
    const passLate = (run: () => void) => {
      if (delayMs > 0) setTimeout(() => pass(run), delayMs);
      else pass(run);
    };
    near.on("data", (bytes) => pass(() => far.write(bytes)));
    far.on("data", (bytes) => passLate(() => near.write(bytes)));
    far.on("close", () => passLate(() => near.destroy()));
    near.on("close", () => {
      lines.delete(line);
      far.destroy();
    });
    // What breaks is closed after it, which is all that is asked here.
    for (const socket of [near, far]) socket.on("error", () => {});
  });
  const hangUp = () => {
    server.close();
    for (const { near } of lines) near.destroy();
  };
  const listen = (port: number) =>
    new Promise<void>((resolve) => server.listen(port, "127.0.0.1", resolve));
  await listen(0);
  const url = new URL(target);
  url.port = String(portOf(server));

  return {
    /** The neighbour's URL by way of this door. */
    url: url.href,
    /** Nobody listens any more, and who was connected is cut off. */
    refuse: hangUp,
    /** Every connection, old or new, is open and says nothing: the machine behind it is dead. */
    silence: () => {
      isSilent = true;
      for (const line of lines) line.isCut = true;
    },
    /** Every answer comes this late. */
    delay: (ms: number) => {
      delayMs = ms;
    },
    /** New connections are as they were. Those that have fallen silent stay so. */
    restore: async () => {
      isSilent = false;
      delayMs = 0;
      if (!server.listening) await listen(Number(url.port));
    },
    [Symbol.dispose]: hangUp,
  };
}

function portOf(server: net.Server): number {
  const address = server.address();
  if (typeof address !== "object" || address === null) throw new Error("the relay has no port");
  return address.port;
}
