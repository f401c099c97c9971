import { existsSync, readdirSync, readFileSync } from "node:fs";
import packageJson from "../package.json" with { type: "json" };

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
  const embedded = new Map(files.flatMap(embeddedIn).map((found) => [idOf(found), found]));
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

const idOf = ({ name, version }: BundledPackage): string => `${name}@${version}`;

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

/**
 * The bill of materials, in CycloneDX: what npm installs with the package, and what is bundled in
 * it. It is npm's own, without what is optional or for development, and without what differs from
 * one build to the next.
 */
export async function sbomOf(packages: readonly BundledPackage[]): Promise<string> {
  const { serialNumber: _, metadata, ...bom } = await npmSbom();
  const bundled = new Set(packages.map(idOf));
  const listed = bom.components
    .filter((component) => isInstalled(component) || bundled.has(component["bom-ref"]))
    .map((component) =>
      bundled.has(component["bom-ref"])
        ? { ...component, scope: "required", properties: BUNDLED }
        : component,
    );
  const installed = new Set(listed.map((component) => component["bom-ref"]));
  const embedded = packages.filter((found) => !installed.has(idOf(found)));
  const components = [...listed, ...embedded.map(embeddedComponent)];
  const known = new Set([
    metadata.component["bom-ref"],
    ...components.map((component) => component["bom-ref"]),
  ]);
  const dependencies = bom.dependencies
    .filter(({ ref }) => known.has(ref))
    .map(({ ref, dependsOn }) => ({ ref, dependsOn: dependsOn.filter((on) => known.has(on)) }));
  // npm takes the name of the folder.
  const component = { ...metadata.component, name: packageJson.name };
  return `${JSON.stringify({ ...bom, metadata: { component }, components, dependencies })}\n`;
}

const isInstalled = ({ scope, properties }: Component): boolean =>
  scope === "required" && !properties.some(({ name }) => name === "cdx:npm:package:development");

/** As CycloneDX's own taxonomy for npm names it. */
const BUNDLED = [{ name: "cdx:npm:package:bundled", value: "true" }];

const embeddedComponent = (found: BundledPackage) => ({
  "bom-ref": idOf(found),
  type: "library",
  name: found.name,
  version: found.version,
  scope: "required",
  licenses: [{ license: titleOf(licenceOf(found)) }],
  purl: `pkg:npm/${found.name.replace("@", "%40")}@${found.version}`,
  properties: BUNDLED,
});

/** The title of a licence, by its first line. */
function titleOf(licence: string): { readonly id: string } | { readonly name: string } {
  const [title = ""] = licence.trim().split("\n");
  return title.includes("MIT License") ? { id: "MIT" } : { name: title };
}

/** The parts of npm's bill of materials that are looked at. */
interface Sbom {
  readonly serialNumber: string;
  readonly metadata: { readonly component: Component };
  readonly components: readonly Component[];
  readonly dependencies: readonly { readonly ref: string; readonly dependsOn: readonly string[] }[];
}

interface Component {
  readonly "bom-ref": string;
  readonly scope: string;
  readonly properties: readonly { readonly name: string }[];
}

async function npmSbom(): Promise<Sbom> {
  const npm = Bun.spawn(["npm", "sbom", "--sbom-format=cyclonedx", "--package-lock-only"], {
    cwd: `${import.meta.dir}/..`,
    stderr: "pipe",
  });
  const [text, problem] = await Promise.all([npm.stdout.text(), npm.stderr.text()]);
  if ((await npm.exited) !== 0) throw new Error(`npm wrote no bill of materials\n${problem}`);
  return JSON.parse(text);
}
