/**
 * Script of the page, with a plugin of Swagger UI. It marks an extension by a badge beside the path of an operation and the name of a parameter or a
 * field: Swagger UI itself shows `x-extension` only in a list of all vendor keywords. It folds each error answer to its status and codes, and within a
 * group it shows what is no extension first. A text, because the bundler would put helpers into a function.
 */
export const PLUGIN_SCRIPT = `const VaultlineDocs = (system) => {
  const { createElement: element, Fragment, useState } = system.React;
  const badge = () => element('span', { className: 'extension-badge' }, 'extension');
  const withBadge = (isExtension) => (Original) => (props) =>
    element(Fragment, null, element(Original, props), isExtension(props) ? badge() : null);
  // A folded operation is not resolved: the document itself has its mark.
  const isMarked = (path, method) =>
    system.getSystem().specSelectors.specJson().getIn(['paths', path, method, 'x-extension']) === true;
  const folded = (Original) => (props) => {
    const [isOpen, setOpen] = useState(false);
    const examples = props.response.getIn(['content', 'application/json', 'examples']);
    if (!/^[45]/.test(props.code) || !examples) return element(Original, props);
    const button = { type: 'button', className: 'error-codes', 'aria-expanded': isOpen, onClick: () => setOpen(!isOpen) };
    return element(Fragment, null,
      element('tr', { className: 'error-answer' },
        element('td', null, props.code),
        element('td', { colSpan: 2 }, element('button', button, examples.keySeq().join(', ')))),
      isOpen ? element(Original, props) : null);
  };
  return {
    wrapComponents: {
      OperationSummaryPath: withBadge(({ operationProps }) => isMarked(operationProps.get('path'), operationProps.get('method'))),
      JSONSchema202012KeywordTitle: withBadge(({ schema }) => schema['x-extension'] === true),
      ParameterExt: () => ({ xKey }) => (xKey === 'x-extension' ? badge() : null),
      OperationExt: () => () => null,
      JSONSchema202012ExtensionKeywords: () => () => null,
      response: folded,
      // A link within the button that unfolds an operation would be out of reach.
      DeepLink: () => ({ text }) => element('span', null, text),
    },
  };
};
const extensionsLast = (a, b) =>
  a.hasIn(['operation', 'x-extension']) - b.hasIn(['operation', 'x-extension']);
`;

export const PLUGIN_STYLE = `
  .swagger-ui .topbar .link { display: none }
  .extension-badge {
    display: inline-block; margin: 0 .5em; padding: 0 .5em; border: 1px solid #8c5a00; border-radius: 1em;
    background: #fff6e5; color: #6b4400; font: 600 11px/1.6 sans-serif; white-space: nowrap;
  }
  .swagger-ui .info details { margin: .25em 0; font-size: 14px }
  .swagger-ui .info summary { cursor: pointer }
  .swagger-ui table tbody tr.error-answer td { padding: 0 }
  .swagger-ui .error-codes {
    border: 0; padding: .3em 0; background: none; color: inherit; cursor: pointer; text-align: left; font: 600 12px/1.5 monospace;
  }
  .swagger-ui .error-codes::before { content: '▸ ' }
  .swagger-ui .error-codes[aria-expanded='true']::before { content: '▾ ' }
  ${readable({
    'a, .info .link .url, .info .link': 'color: #1b5fb8',
    '.info .title small, .info .title small.version-stamp': 'background: #4b5563',
    '.btn.authorize, .btn.authorize span': 'color: #17603f',
    '.opblock-summary-description, .parameter__in': 'color: #3b4151',
    '.json-schema-2020-12__constraint--string': 'background: #8a5a00',
    '.json-schema-2020-12-expand-deep-button': 'color: #3b4151',
    '.highlight-code span[style*="(211"]': 'color: #ff9c9c !important',
    '.opblock-deprecated': 'opacity: 1',
    '.opblock.opblock-get .opblock-summary-method': 'background: #1b5fb8',
    '.opblock.opblock-post .opblock-summary-method': 'background: #1b7a4b',
    '.opblock.opblock-put .opblock-summary-method': 'background: #8a5a00',
    '.opblock.opblock-patch .opblock-summary-method': 'background: #0b6e5b',
    '.opblock.opblock-delete .opblock-summary-method': 'background: #b3261e',
    '.opblock.opblock-deprecated .opblock-summary-method': 'background: #4b5563',
  })}`;

/** Colors of the light page whose contrast Swagger UI has below WCAG's 4.5. */
function readable(rules: Record<string, string>): string {
  const selector = (list: string): string =>
    list
      .split(', ')
      .map((part) => `html:not(.dark-mode) .swagger-ui ${part}`)
      .join(', ');
  return Object.entries(rules)
    .map(([list, rule]) => `${selector(list)} { ${rule} }`)
    .join('\n  ');
}
