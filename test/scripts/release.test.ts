import { afterAll, describe, expect, test } from "bun:test";
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join, posix } from "node:path";
import packageJson from "../../package.json" with { type: "json" };
import { ROOT } from "../documents/document.ts";
import { readWorkflow, runStep } from "../documents/workflow.ts";

const REPOSITORY = "https://github.com/Some-One/tools";
const VERSION = packageJson.version;

const { jobs } = readWorkflow(".github/workflows/release.yml");
const home = mkdtempSync(join(tmpdir(), "handtools-release-"));
afterAll(() => rmSync(home, { recursive: true }));

const BIN = join(home, "bin");
mkdirSync(BIN);

/** A program that writes down its words, and prints an answer. */
function standIn(path: string, answer = ""): void {
  writeFileSync(path, `#!/bin/sh\necho "\${0##*/} $*" >> "${home}/calls"\n${answer}\n`);
  chmodSync(path, 0o755);
}

/** Runs a step of the release by its name, with stand-ins for what needs the network. */
function release(job: string, name: string, folder: string, environment = {}) {
  const step = jobs[job]?.steps.find((other) => other.name === name);
  if (!step) throw new Error(`${job} has no step ${name}`);
  rmSync(join(home, "calls"), { force: true });
  const context = { "github.token": "secret", "matrix.architecture": "arm64" };
  const ended = runStep(step, context, {
    folder,
    environment: {
      PATH: `${BIN}${delimiter}${process.env.PATH}`,
      HOME: home,
      REPOSITORY,
      GITHUB_REPOSITORY: "Some-One/tools",
      GITHUB_ACTOR: "some-one",
      GITHUB_REF_NAME: `v${VERSION}`,
      ...environment,
    },
  });
  const calls = join(home, "calls");
  const called = existsSync(calls) ? readFileSync(calls, "utf8").trim().split("\n") : [];
  return { ...ended, calls: called };
}

/** A folder with the project's documents and what they link to. */
function documents(): string {
  const folder = mkdtempSync(join(home, "documents-"));
  const names = ["README.md", "CHANGELOG.md", "CONTRIBUTING.md", "SECURITY.md", "LICENSE"];
  for (const name of [...names, "package.json", "action.yml", "docs", "examples", "deploy"]) {
    cpSync(join(ROOT, name), join(folder, name), { recursive: true });
  }
  mkdirSync(join(folder, "scripts"));
  cpSync(join(ROOT, "scripts/write-address.ts"), join(folder, "scripts/write-address.ts"));
  return folder;
}

describe("a release", () => {
  test("stops where the tag is not the version", () => {
    const run = (tag: string) =>
      release("package", "The tag is the version", ROOT, { GITHUB_REF_NAME: tag }).exitCode;
    expect([run(`v${VERSION}`), run(VERSION), run("v99.0.0")]).toEqual([0, 1, 1]);
  });

  test("writes the address of the project into the package and its documents", () => {
    const folder = documents();
    standIn(join(BIN, "npx"), `shift; exec "${process.execPath}" "$@"`);
    expect(release("package", "Write the address", folder)).toMatchObject({ exitCode: 0 });
    expect(JSON.parse(readFileSync(join(folder, "package.json"), "utf8"))).toEqual({
      ...packageJson,
      repository: { type: "git", url: `git+${REPOSITORY}.git` },
      homepage: `${REPOSITORY}#readme`,
      bugs: `${REPOSITORY}/issues`,
    });
    const packed = packedFiles(folder);
    const links = packed
      .filter((path) => path.endsWith(".md"))
      .flatMap((path) => linksOf(folder, path));
    expect(links.filter(({ isLocal, path }) => isLocal && !packed.includes(path))).toEqual([]);
    const outside = links.filter(({ isLocal }) => !isLocal).map(({ path }) => path);
    expect(outside.filter((path) => !existsSync(join(ROOT, path)))).toEqual([]);
    expect(outside).toContain("deploy/README.md");
    expect(outside).toContain("docs/images/mail-filter-dark.webp");
    const readme = readFileSync(join(folder, "README.md"), "utf8");
    expect(readme).toContain(`](${REPOSITORY}/blob/v${VERSION}/deploy/README.md)`);
    expect(readme).toContain(`"${REPOSITORY}/raw/v${VERSION}/docs/images/`);
  });

  test.each(["", "owner/name", "https://github.com/owner"])("rejects the address %j", (address) => {
    const ended = release("package", "Write the address", documents(), { REPOSITORY: address });
    expect(ended.exitCode).toBe(1);
    expect(ended.output).toContain("REPOSITORY must be an address");
  });

  test("runs each program that it has compiled", () => {
    const folder = mkdtempSync(join(home, "program-"));
    mkdirSync(join(folder, "dist/bin"), { recursive: true });
    const program = join(folder, "dist/bin/a");
    const run = () => {
      const { exitCode, calls } = release("programs", "Run the program", folder, { NAME: "a" });
      return { exitCode, last: calls.at(-1) };
    };
    standIn(program, `echo ${VERSION}`);
    expect(run()).toEqual({ exitCode: 0, last: "a mail-filter input.json --search" });
    standIn(program, "echo 0.0.0");
    expect(run()).toEqual({ exitCode: 1, last: "a --version" });
  });

  test("adds six programs with their sums", () => {
    const folder = mkdtempSync(join(home, "programs-"));
    const programs = join(folder, "programs");
    mkdirSync(programs);
    const { include } = Object(jobs.programs?.strategy).matrix;
    const names: string[] = include.map(({ name }: { name: string }) => name).sort();
    expect(names).toEqual(
      [
        "linux-arm64",
        "linux-x64",
        "macos-arm64",
        "macos-x64",
        "windows-arm64.exe",
        "windows-x64.exe",
      ].map((system) => `handtools-${system}`),
    );
    for (const name of names.slice(1)) writeFileSync(join(programs, name), name);
    expect(release("downloads", "Sum up the programs", folder).exitCode).toBe(1);
    writeFileSync(join(programs, names[0] ?? ""), "first");
    expect(release("downloads", "Sum up the programs", folder).exitCode).toBe(0);
    const check = Bun.spawnSync(["sha256sum", "--check", "--strict", "SHA256SUMS"], {
      cwd: programs,
    });
    expect(`${check.stdout}`.split("\n").filter(Boolean)).toEqual(
      names.map((name) => `${name}: OK`),
    );
    standIn(join(BIN, "gh"));
    const all = ["SHA256SUMS", ...names].map((name) => `programs/${name}`).join(" ");
    expect(release("downloads", "Add the programs to the release", folder).calls).toEqual([
      `gh release upload v${VERSION} ${all} --repo Some-One/tools`,
    ]);
  });

  test("pushes an image for each architecture, and one name for both", () => {
    standIn(join(BIN, "docker"), `[ "$1" = run ] && echo ${VERSION} || true`);
    const image = `ghcr.io/some-one/tools:${VERSION}`;
    expect(release("image", "Log in to the registry", home).calls).toEqual([
      "docker login ghcr.io --username some-one --password-stdin",
    ]);
    expect(release("image", "Build and push the image", home)).toMatchObject({
      exitCode: 0,
      calls: [
        `docker build --file deploy/Dockerfile --label org.opencontainers.image.source=${REPOSITORY} --tag ${image}-arm64 .`,
        `docker run --rm ${image}-arm64 --version`,
        `docker push ${image}-arm64`,
      ],
    });
    expect(release("images", "Give both architectures one name", home).calls).toEqual([
      `docker buildx imagetools create --tag ${image} --tag ghcr.io/some-one/tools:latest ${image}-amd64 ${image}-arm64`,
    ]);
    standIn(join(BIN, "docker"), `echo 0.0.0`);
    const wrong = release("image", "Build and push the image", home);
    expect({ exitCode: wrong.exitCode, last: wrong.calls.at(-1) }).toEqual({
      exitCode: 1,
      last: `docker run --rm ${image}-arm64 --version`,
    });
  });

  test("only the job that needs a right has it", () => {
    const rights = Object.entries(jobs).map(([name, { permissions = {} }]) => [
      name,
      Object.entries(permissions).flatMap(([right, level]) => (level === "write" ? right : [])),
    ]);
    expect(Object.fromEntries(rights)).toEqual({
      package: ["id-token"],
      programs: [],
      downloads: ["contents"],
      image: ["packages"],
      images: ["packages"],
    });
  });
});

function packedFiles(folder: string): readonly string[] {
  const command = ["npm", "pack", "--dry-run", "--json", "--ignore-scripts"];
  const [{ files }] = JSON.parse(`${Bun.spawnSync(command, { cwd: folder }).stdout}`);
  return files.map(({ path }: { path: string }) => path);
}

/** The links of a document to files of the project, here or at its address. */
function linksOf(folder: string, document: string) {
  const text = readFileSync(join(folder, document), "utf8").replaceAll(/`[^`\n]*`/g, "");
  const targets = Array.from(
    text.matchAll(/(?:\]\(|src(?:set)?=")([^)"\s#]+)/g),
    ([, target = ""]) => target,
  );
  const there = new RegExp(`^${REPOSITORY}/(?:blob|raw)/v${VERSION}/`);
  return targets
    .filter((target) => !/^[a-z]+:/.test(target) || there.test(target))
    .map((target) => ({
      isLocal: !there.test(target),
      path: there.test(target)
        ? target.replace(there, "")
        : posix.join(posix.dirname(document), target),
    }));
}
