// Lints files that exist only in the request. Reads `[{path, text}]` from standard input and writes, for each file, the lines that a rule of the
// project's own refuses: on imports, parameters, or expressions that are not linear. It runs in a process of its own, because ESLint loads its configuration as a native module; it has no type information, because the files
// belong to no project.
import { text } from 'node:stream/consumers';
import { ESLint } from 'eslint';
import tseslint from 'typescript-eslint';

const OWN_RULES = /^(boundaries\/|redos\/|@typescript-eslint\/(no-restricted-imports|max-params)$)/;

const eslint = new ESLint({ overrideConfig: [tseslint.configs.disableTypeChecked] });
const files = JSON.parse(await text(process.stdin));
const refused = [];
for (const file of files) {
  const [{ messages }] = await eslint.lintText(file.text, { filePath: file.path });
  const broken = messages.find(({ fatal }) => fatal);
  if (broken) throw new Error(`${file.path}: ${broken.message}`);
  const lines = messages.filter(({ ruleId }) => OWN_RULES.test(ruleId ?? '')).map(({ line }) => line);
  refused.push([...new Set(lines)].sort((a, b) => a - b));
}
process.stdout.write(JSON.stringify(refused));
