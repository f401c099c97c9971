/** What to send, and how much of it. */
export interface Load {
  readonly port: number;
  readonly method: "GET" | "POST";
  readonly path: string;
  /** JSON. */
  readonly body?: string;
  readonly connections: number;
  readonly milliseconds: number;
  /** Ends it before the time is over. */
  readonly requests?: number;
}

/**
 * Keeps connections busy with one request after the other.
 *
 * @returns answers per second.
 */
export async function drive(load: Load): Promise<number> {
  const request = toRequest(load);
  const length = await lengthOfAnswer(load, request);
  const { promise: ended, resolve: end, reject: fail } = Promise.withResolvers<void>();
  const limit = load.requests ?? Number.POSITIVE_INFINITY;
  let answered = 0;
  const onAnswer = (socket: Connection) => {
    answered += 1;
    if (answered < limit) socket.write(request);
    else end();
  };
  const sockets = await Promise.all(
    Array.from({ length: load.connections }, () => connect(load.port, length, onAnswer, fail)),
  );
  const timer = setTimeout(end, load.milliseconds);
  const started = performance.now();
  for (const socket of sockets) socket.write(request);
  await ended;
  const seconds = (performance.now() - started) / 1000;
  clearTimeout(timer);
  for (const socket of sockets) socket.end();
  return answered / seconds;
}

/** A connection and how much of the current answer it has read. */
type Connection = Bun.Socket<{ received: number }>;

const connect = (
  port: number,
  length: number,
  onAnswer: (socket: Connection) => void,
  fail: (error: Error) => void,
): Promise<Connection> =>
  Bun.connect({
    hostname: "127.0.0.1",
    port,
    data: { received: 0 },
    socket: {
      data(socket, chunk) {
        // An answer may come in pieces, but the next one comes only after the next request.
        socket.data.received += chunk.length;
        if (socket.data.received < length) return;
        if (socket.data.received > length) return fail(new Error("the answers differ in length"));
        socket.data.received = 0;
        onAnswer(socket);
      },
      error: (_, error) => fail(error),
    },
  });

function toRequest({ method, path, body = "" }: Load): string {
  const lines = [`${method} ${path} HTTP/1.1`, "Host: 127.0.0.1"];
  if (method === "POST") {
    lines.push("Content-Type: application/json", `Content-Length: ${Buffer.byteLength(body)}`);
  }
  return `${lines.join("\r\n")}\r\n\r\n${body}`;
}

/**
 * Sends one request, and gives the length of what comes back. The same request has the same
 * answer every time, so that later ones need not be parsed: the client must not be what is slow.
 */
async function lengthOfAnswer({ port }: Load, request: string): Promise<number> {
  const { promise, resolve, reject } = Promise.withResolvers<number>();
  let answer = "";
  const socket = await Bun.connect({
    hostname: "127.0.0.1",
    port,
    socket: {
      data(_, chunk) {
        answer += chunk.toString("latin1");
        const [head = "", body] = answer.split("\r\n\r\n", 2);
        const length = Number(/content-length: (\d+)/i.exec(head)?.[1]);
        if (body === undefined || answer.length < head.length + 4 + length) return;
        if (head.startsWith("HTTP/1.1 200 ")) resolve(answer.length);
        else reject(new Error(`the answer is ${head.split("\r\n")[0]}`));
      },
      error: (_, error) => reject(error),
    },
  });
  socket.write(request);
  const length = await promise;
  socket.end();
  return length;
}
