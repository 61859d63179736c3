// The module that tests import as `@jest/globals`. Helper modules are loaded once a worker and outlive a test file, so that each name refers to the
// globals of the file that runs now.
const current = (name) =>
  new Proxy(function () {}, {
    apply: (_target, _this, given) => globalThis.jestGlobals[name](...given),
    get: (_target, property) => globalThis.jestGlobals[name][property],
  });

export const describe = current('describe');
export const it = current('it');
export const test = current('test');
export const expect = current('expect');
export const beforeAll = current('beforeAll');
export const beforeEach = current('beforeEach');
export const afterAll = current('afterAll');
export const afterEach = current('afterEach');
export const jest = current('jest');
