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
  .swagger-ui .info details { margin: .25em 0 }
  .swagger-ui .info summary { cursor: pointer }
  .swagger-ui .error-answer td { padding: .25em 0; font: 14px/1.5 sans-serif }
  .swagger-ui .error-codes { border: 0; padding: 0; background: none; cursor: pointer; text-align: left; font: 600 12px/1.5 monospace }
  .swagger-ui .error-codes::before { content: '▸ ' }
  .swagger-ui .error-codes[aria-expanded='true']::before { content: '▾ ' }`;
