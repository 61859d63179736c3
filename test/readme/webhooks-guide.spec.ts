import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import Stripe from 'stripe';
import { verify as verifyOfConsole } from '../../console/src/screens/webhooks/snippets/verify.js';
import { newSigningSecret, sign } from '../../src/domain/outbound/webhooks/signature.js';
import { PublishedDocument } from '../support/published-document.js';
import { ENDS } from '../support/child-environment.js';

type Verify = (rawBody: Buffer, header: string, secret: string) => boolean;

const guide = readFileSync('docs/webhooks.md', 'utf8');
const [partner, sandbox] = (['partner', 'sandbox'] as const).map((name) => new PublishedDocument(name));
/** The code that the console shows beside a new secret. */
const snippet = (name: string): string =>
  readFileSync(`console/src/screens/webhooks/snippets/${name}`, 'utf8');
const BODY = Buffer.from('{"id":"evt_1","data":{"label":"Zürich €"}}');
const SECRET = newSigningSecret();

/** The first code block of a language in a page. */
const blockOf = (page: string, language: string): string =>
  new RegExp(`^\`\`\`${language}\\n(.*?)^\`\`\``, 'ms').exec(page)![1]!;
/** The function `verify` of a page, as a reader copies it. */
async function verifyOf(page: string): Promise<Verify> {
  const code = blockOf(page, 'js').replace(/^(export )?function/m, 'export function');
  const { verify } = await import(`data:text/javascript,${encodeURIComponent(code)}`);
  return verify as Verify;
}

const now = Math.floor(Date.now() / 1000);
const v1 = (secret: string, at = now): string => sign(secret, at, BODY).slice(`t=${at},`.length);
const [valid, other] = [v1(SECRET), v1(newSigningSecret())];
const ACCEPTED = [`t=${now},${valid}`, `t=${now},${valid},${other}`, `t=${now},${other},${valid}`];
const REFUSED = [
  `t=${now},${other}`,
  `t=${now},${other},${other}`,
  `t=${now - 301},${v1(SECRET, now - 301)}`,
  `t=${now - 301},${other},${v1(SECRET, now - 301)}`,
  `t=${now}`,
  `t=${now},`,
  `t=${now},${valid},`,
  `t=${now},${valid},v1=`,
  '',
];

describe.each([
  ['docs/webhooks.md', guide],
  ['the OpenAPI document', partner!.content.info.description as string],
])('the verifier in %s', (_where, page) => {
  it('The verifier accepts a header with one valid signature, or with two of which either is valid', async () => {
    const verify = await verifyOf(page);
    for (const header of ACCEPTED) expect([header, verify(BODY, header, SECRET)]).toEqual([header, true]);
  });

  it('The verifier refuses wrong and old signatures, and malformed headers', async () => {
    const verify = await verifyOf(page);
    for (const header of REFUSED) expect([header, verify(BODY, header, SECRET)]).toEqual([header, false]);
    expect(verify(Buffer.concat([BODY, Buffer.from(' ')]), ACCEPTED[0]!, SECRET)).toBe(false);
  });
});

it.each([
  ['Python', /fullmatch\(r"(.+?)"/.exec(snippet('verify.py'))![1]!],
  ['Go', /MustCompile\(`(.+?)`/.exec(snippet('verify.go'))![1]!],
  ['Ruby', /\/\\A(t=.+?)\\z\//.exec(snippet('verify.rb'))![1]!],
  ['PHP', /\/\\A(t=.+?)\\z\//.exec(snippet('verify.php'))![1]!],
  ['Java', /compile\("(.+?)"/.exec(blockOf(guide, 'java'))![1]!],
  ['README.md', /\/(\^t=.+?\$)\/\.exec/.exec(readFileSync('README.md', 'utf8'))![1]!],
  ['partner.json', partner!.content.components.parameters.WebhookSignature.schema.pattern as string],
  ['sandbox.json', sandbox!.content.components.parameters.WebhookSignature.schema.pattern as string],
])('The pattern of the header in %s admits one v1 and two, and no other number', (_where, pattern) => {
  const whole = new RegExp(`^(?:${pattern})$`);
  for (const header of ACCEPTED) expect(whole.test(header)).toBe(true);
  expect(whole.test(`t=${now}`)).toBe(false);
  expect(whole.test(`t=${now},${valid},${other},${valid}`)).toBe(false);
});

it('The TypeScript verifier of the console accepts and refuses the same headers', () => {
  const judged = (header: string): boolean => verifyOfConsole(BODY, header, SECRET);
  expect([ACCEPTED.filter(judged), REFUSED.filter(judged)]).toEqual([ACCEPTED, []]);
});

/**
 * The way to run a verifier of the guide: a program that reads one case a line (body, header, secret, each in base64) and prints 1 for each signature
 * that it accepts.
 */
const RUNS: Record<string, { command: string[]; file: string; program: (block: string) => string }> = {
  Python: {
    command: ['python3'],
    file: 'verify.py',
    program: (block) => `${block}
import base64, sys
for line in sys.stdin:
    body, header, secret = (base64.b64decode(part) for part in line.rstrip("\\n").split(" "))
    print(int(verify(body, header.decode(), secret.decode())))
`,
  },
  Go: {
    command: ['go', 'run'],
    file: 'verify.go',
    program: (block) => `${block
      .replace('package webhook', 'package main')
      .replace('import (', 'import (\n"bufio"\n"encoding/base64"\n"fmt"\n"os"\n"strings"')}
func main() {
	lines := bufio.NewScanner(os.Stdin)
	for lines.Scan() {
		var parts [3][]byte
		for i, part := range strings.Split(lines.Text(), " ") {
			parts[i], _ = base64.StdEncoding.DecodeString(part)
		}
		if Verify(parts[0], string(parts[1]), string(parts[2]), 300*time.Second) {
			fmt.Println(1)
		} else {
			fmt.Println(0)
		}
	}
}
`,
  },
  Ruby: {
    command: ['ruby'],
    file: 'verify.rb',
    program: (block) => `${block}
$stdin.each_line(chomp: true) do |line|
  body, header, secret = line.split(' ', -1).map { |part| part.unpack1('m') }
  puts verify(body, header, secret) ? 1 : 0
end
`,
  },
  PHP: {
    command: ['php'],
    file: 'verify.php',
    program: (block) => `${block}
while (($line = fgets(STDIN)) !== false) {
    [$body, $header, $secret] = array_map('base64_decode', explode(' ', rtrim($line, "\\n")));
    echo verify($body, $header, $secret) ? 1 : 0, "\\n";
}
`,
  },
  Java: {
    command: ['java', '-XX:TieredStopAtLevel=1'],
    file: 'Main.java',
    program: (block) =>
      block.replace(
        'final class Webhook',
        `class Main {
    public static void main(String[] args) throws Exception {
        var base64 = java.util.Base64.getDecoder();
        var lines = new java.io.BufferedReader(new java.io.InputStreamReader(System.in)).lines().toList();
        for (String line : lines) {
            String[] parts = line.split(" ", -1);
            String header = new String(base64.decode(parts[1]), StandardCharsets.UTF_8);
            String secret = new String(base64.decode(parts[2]), StandardCharsets.UTF_8);
            System.out.println(Webhook.verify(base64.decode(parts[0]), header, secret, 300) ? 1 : 0);
        }
    }
}

final class Webhook`,
      ),
  },
};

describe.each(Object.entries(RUNS))('the verifier in %s', (language, { command, file, program }) => {
  const [runner = '', ...options] = command;
  const isHere = spawnSync(runner, [runner === 'go' ? 'version' : '--version'], ENDS).status === 0;
  if (!isHere)
    process.stderr.write(`Skipped: there is no ${runner}, so the verifier in ${language} is not run.\n`);

  (isHere ? it : it.skip)('The verifier accepts right signatures, and refuses wrong ones', () => {
    const folder = mkdtempSync(join(tmpdir(), 'vaultline-verifier-'));
    try {
      writeFileSync(
        join(folder, file),
        program(language === 'Java' ? blockOf(guide, 'java') : snippet(file)),
      );
      const base64 = (part: string | Buffer): string => Buffer.from(part).toString('base64');
      const changed = Buffer.concat([BODY, Buffer.from(' ')]);
      const cases = [
        ...[...ACCEPTED, ...REFUSED].map((header) => [BODY, header, SECRET] as const),
        [changed, ACCEPTED[0]!, SECRET] as const,
        [BODY, ACCEPTED[0]!, newSigningSecret()] as const,
      ];
      const input = cases.map((testCase) => testCase.map(base64).join(' ')).join('\n');
      const ran = spawnSync(runner, [...options, file], {
        cwd: folder,
        input: `${input}\n`,
        encoding: 'utf8',
        ...ENDS,
      });
      expect(ran.stderr).toBe('');
      const expected = cases.map((_, index) => (index < ACCEPTED.length ? '1' : '0'));
      expect(ran.stdout.trim().split(/\s+/)).toEqual(expected);
    } finally {
      rmSync(folder, { recursive: true });
    }
  });
});

it("Stripe's library also accepts a header with two signatures of which either is valid", () => {
  for (const header of ACCEPTED)
    expect(Stripe.webhooks.constructEvent(BODY, header, SECRET)).toMatchObject({ id: 'evt_1' });
});
