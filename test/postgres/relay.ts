import net from "node:net";

interface Line {
  readonly near: net.Socket;
  /** Nothing passes any more in either direction, not even that the other end has closed. */
  isCut: boolean;
}

/**
 * A relay on this machine in front of another server, whose machine can die.
 *
 * @param target the neighbour's URL, with its port.
 */
export async function openRelay(target: string) {
  const lines = new Set<Line>();
  let isSilent = false;
  const server = net.createServer({ allowHalfOpen: true }, (near) => {
    const far = net.connect(Number(new URL(target).port), "127.0.0.1");
    const line: Line = { near, isCut: isSilent };
    lines.add(line);
    near.on("data", (bytes) => line.isCut || far.write(bytes));
    far.on("data", (bytes) => line.isCut || near.write(bytes));
    far.on("close", () => line.isCut || near.destroy());
    near.on("end", () => line.isCut || near.end());
    near.on("close", () => {
      lines.delete(line);
      far.destroy();
    });
    // A broken socket is closed after it, which is enough here.
    for (const socket of [near, far]) socket.on("error", () => {});
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  if (typeof address !== "object" || address === null) throw new Error("the relay has no port");
  const url = new URL(target);
  url.port = String(address.port);
  return {
    /** The other server's URL by way of this relay. */
    url: url.href,
    /** Every connection, old or new, is open and says nothing: the machine behind it is dead. */
    begin: () => {
      isSilent = true;
      for (const line of lines) line.isCut = true;
    },
    /** New connections work. Those that have fallen silent stay so. */
    end: () => {
      isSilent = false;
    },
    [Symbol.dispose]: () => {
      server.close();
      for (const { near } of lines) near.destroy();
    },
  };
}
