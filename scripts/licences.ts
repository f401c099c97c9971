/**
 * The licences of the packages in a bundle, which have to travel with their code.
 *
 * @param inputs the paths of all files in the bundle.
 * @returns each package's name, version and licence text; "" without a package.
 * @throws when a package has no licence file.
 */
export async function licencesOf(inputs: readonly string[]): Promise<string> {
  const folders = inputs.flatMap((path) => /^.*node_modules\/(?:@[^/]+\/)?[^/]+/.exec(path) ?? []);
  const notices = await Promise.all([...new Set(folders)].sort().map(notice));
  return notices.join(`\n${"-".repeat(80)}\n\n`);
}

async function notice(folder: string): Promise<string> {
  const { name, version } = await Bun.file(`${folder}/package.json`).json();
  const [file] = new Bun.Glob("{LICENSE,License,LICENCE,license}*").scanSync(folder);
  // Some packages leave their licence out of what they publish.
  const text = Bun.file(file ? `${folder}/${file}` : `${import.meta.dir}/licences/${name}.txt`);
  if (!(await text.exists())) throw new Error(`${name} has no licence file to pass on`);
  return `${name} ${version}\n\n${await text.text()}`;
}
