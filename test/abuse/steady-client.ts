import { openConnection } from "../server/connection.ts";
import type { RawResponse } from "../server/raw-response.ts";

/** A client that sends one request after the other, on one connection as long as it is kept. */
export function steadyClient(port: number) {
  let connection: Awaited<ReturnType<typeof openConnection>> | undefined;
  const end = () => {
    connection?.end();
    connection = undefined;
  };
  return {
    /** @param isLast whether the request asks for the end of the connection. */
    async exchange(bytes: Uint8Array, method: string, isLast = false): Promise<RawResponse> {
      if (connection?.isClosed) end();
      try {
        connection ??= await openConnection(port);
        connection.send(bytes);
        const response = await connection.response(method);
        if (isLast || response.headers.connection === "close") end();
        return response;
      } catch (error) {
        end();
        throw error;
      }
    },
    end,
  };
}
