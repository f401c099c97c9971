import { existsSync, readdirSync, readFileSync } from "node:fs";

/** A package whose code is in a bundle. */
interface BundledPackage {
  readonly name: string;
  readonly version: string;
  /** Its folder; undefined for a package inside the files of another. */
  readonly folder?: string;
}

/**
 * The packages in bundles, each once.
 *
 * @param inputs the paths of all files in the bundles.
 */
export function bundledPackages(inputs: readonly string[]): readonly BundledPackage[] {
  const files = [...new Set(inputs)].filter((path) => path.includes("node_modules/")).sort();
  const folders = files.flatMap((path) => /^.*node_modules\/(?:@[^/]+\/)?[^/]+/.exec(path) ?? []);
  const installed = [...new Set(folders)].map((folder) => {
    const { name, version } = JSON.parse(readFileSync(`${folder}/package.json`, "utf8"));
    return { name, version, folder };
  });
  const embedded = new Map(
    files.flatMap(embeddedIn).map((found) => [`${found.name} ${found.version}`, found]),
  );
  return [...installed, ...embedded.values()];
}

/** Bundlers mark code from other packages with a comment. */
function embeddedIn(path: string): readonly BundledPackage[] {
  const marks = readFileSync(path, "utf8").matchAll(
    /^\/\/#region .*\/\.pnpm\/(@?[^@/]+)@([^/_(]+)/gm,
  );
  return [...marks].map(([, name = "", version = ""]) => ({
    name: name.replace("+", "/"),
    version,
  }));
}

/**
 * The licences of bundled packages, which have to travel with their code.
 *
 * @returns each package's name, version and licence text.
 * @throws when a package has no licence file.
 */
export const noticesOf = (packages: readonly BundledPackage[]): string =>
  packages
    .map((found) => `${found.name} ${found.version}\n\n${licenceOf(found)}`)
    .join(`\n${"-".repeat(80)}\n\n`);

function licenceOf({ folder, name }: BundledPackage): string {
  const files = folder === undefined ? [] : readdirSync(folder).sort();
  const ours = files.filter((file) => /^(?:licen[cs]e|notice)/i.test(file));
  if (ours.length > 0) {
    return ours.map((file) => readFileSync(`${folder}/${file}`, "utf8")).join("\n");
  }
  // Some packages leave their licence out of what they publish.
  const path = `${import.meta.dir}/licences/${name.replace("/", "__")}.txt`;
  if (!existsSync(path)) throw new Error(`${name} has no licence file to pass on`);
  return readFileSync(path, "utf8");
}
