/*
 * Imports what it is given, run where the package is installed: `<runtime> imports.js <entry>...`.
 */
for (const entry of process.argv.slice(2)) {
  const options = entry.endsWith(".json") ? { with: { type: "json" } } : {};
  const problem = await import(entry, options).then(
    (module) => (Object.keys(module).length > 0 ? "" : "it exports nothing"),
    String,
  );
  process.stdout.write(`${JSON.stringify({ name: `imports ${entry}`, problem })}\n`);
}
