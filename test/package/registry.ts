import { dirname } from "node:path";
import packageJson from "../../package.json" with { type: "json" };
import { outputOf } from "./execute.ts";

/**
 * A registry on this machine in which the tarball is published. For other packages it sends to
 * the registry that npm is set up with.
 */
export async function startRegistry(tarball: string) {
  const configured = await outputOf(["npm", "config", "get", "registry"], {
    cwd: dirname(tarball),
  });
  const file = Bun.file(tarball);
  const { name, version } = packageJson;
  const hash = new Bun.CryptoHasher("sha512").update(await file.bytes()).digest("base64");
  const server = Bun.serve({
    hostname: "127.0.0.1",
    port: 0,
    routes: {
      [`/${name}`]: ({ url }: Request) => {
        const dist = {
          tarball: `${url}/-/${name}-${version}.tgz`,
          integrity: `sha512-${hash}`,
        };
        return Response.json({
          name,
          "dist-tags": { latest: version },
          versions: { [version]: { ...packageJson, dist } },
        });
      },
      [`/${name}/-/*`]: () => new Response(file),
    },
    fetch: ({ url }) => {
      const { pathname } = new URL(url);
      return Response.redirect(`${configured.trim().replace(/\/$/, "")}${pathname}`);
    },
  });
  return { url: server.url.href, stop: () => server.stop(true) };
}
