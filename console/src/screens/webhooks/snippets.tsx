import { useState } from 'preact/hooks';
import { CopyButton } from '../../ui/copy-button.js';
import go from './snippets/verify.go?raw';
import php from './snippets/verify.php?raw';
import python from './snippets/verify.py?raw';
import ruby from './snippets/verify.rb?raw';
import typescript from './snippets/verify.ts?raw';

const SNIPPETS = { TypeScript: typescript, Python: python, Go: go, Ruby: ruby, PHP: php };
type Language = keyof typeof SNIPPETS;

/** Code of receivers that verifies signatures, in five languages. */
export function Snippets() {
  const [language, setLanguage] = useState<Language>('TypeScript');
  return (
    <section class="snippets" aria-label="Verify the signature">
      <header>
        <div class="segments" role="group" aria-label="Language">
          {(Object.keys(SNIPPETS) as Language[]).map((each) => (
            <button
              type="button"
              key={each}
              aria-pressed={each === language}
              onClick={() => setLanguage(each)}
            >
              {each}
            </button>
          ))}
        </div>
        <CopyButton text={SNIPPETS[language]} name={`the verifier in ${language}`} />
      </header>
      <pre tabIndex={0} aria-label={`Verifier in ${language}`}>
        {SNIPPETS[language].trimEnd()}
      </pre>
    </section>
  );
}
