import { existsSync, readdirSync, readFileSync } from "node:fs";

/**
 * Collects the licences of bundled packages, with their names and versions.
 *
 * @param inputs the paths of all files in the bundles.
 * @throws if a package has no licence file.
 */
export function collectNotices(inputs: readonly string[]): string {
  const paths = inputs.map((path) => path.replaceAll("\\", "/"));
  const files = [...new Set(paths)].filter((path) => path.includes("node_modules/")).sort();
  const folders = files.flatMap((path) => /^.*node_modules\/(?:@[^/]+\/)?[^/]+/.exec(path) ?? []);
  const installed = [...new Set(folders)].map((folder) => {
    const { name, version } = JSON.parse(readFileSync(`${folder}/package.json`, "utf8"));
    return `${name} ${version}\n\n${licencesIn(folder) ?? keptLicence(name)}`;
  });
  const embedded = files.flatMap(embeddedIn);
  return [...installed, ...new Set(embedded)].join(`\n${"-".repeat(80)}\n\n`);
}

function licencesIn(folder: string): string | undefined {
  const files = readdirSync(folder).filter((file) => /^(?:licen[cs]e|notice)/i.test(file));
  if (files.length === 0) return undefined;
  const texts = files.sort().map((file) => readFileSync(`${folder}/${file}`, "utf8"));
  return texts.join("\n");
}

/** For packages that are published without their licence. */
function keptLicence(name: string): string {
  const path = `${import.meta.dir}/licences/${name.replace("/", "__")}.txt`;
  if (!existsSync(path)) throw new Error(`${name} has no licence file to pass on`);
  return readFileSync(path, "utf8");
}

/** Finds packages embedded in another package's files, by the comments of its bundler. */
function embeddedIn(path: string): readonly string[] {
  const marks = readFileSync(path, "utf8").matchAll(
    /^\/\/#region .*\/\.pnpm\/(@?[^@/]+)@([^/_(]+)/gm,
  );
  return Array.from(marks, ([, mangled = "", version]) => {
    const name = mangled.replace("+", "/");
    return `${name} ${version}\n\n${keptLicence(name)}`;
  });
}
