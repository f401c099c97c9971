import { join } from "node:path";
import { installPackages, packagesFolder } from "../test/live/programs.ts";

const SUITE = "bench";

/** Installs the packages of the baselines, unless they are installed already. */
export const installBaselines = (): Promise<string> =>
  installPackages(
    SUITE,
    Object.entries(PACKAGES).map(([name, version]) => `${name}@${version}`),
  );

/** The versions of Node that the command line is measured on. */
export const NODES = ["node20", "node22", "node24"] as const;

export const nodeOf = (name: (typeof NODES)[number]): string =>
  join(FOLDER, "node_modules", name, "bin/node");

export const entryOf = (name: keyof typeof PACKAGES): string => Bun.resolveSync(name, FOLDER);

export const programOf = (name: keyof typeof PACKAGES): string =>
  join(FOLDER, "node_modules/.bin", name);

const FOLDER = packagesFolder(SUITE);

const PACKAGES = {
  fastify: "5.12.8",
  hono: "4.13.19",
  "@hono/valibot-validator": "0.6.1",
  prettier: "3.10.1",
  node20: "npm:node@20.20.2",
  node22: "npm:node@22.23.3",
  node24: "npm:node@24.21.0",
};
