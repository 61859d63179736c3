import preact from '@preact/preset-vite';
import { defineConfig } from 'vite';

/** `vite dev` forwards requests of the API to this server. */
const API = process.env['CONSOLE_API'] ?? 'http://127.0.0.1:3001';

export default defineConfig({
  root: import.meta.dirname,
  base: '/console/',
  plugins: [preact({ devToolsEnabled: false })],
  build: {
    outDir: 'dist',
    emptyOutDir: true,
    target: 'es2023',
    // Inline assets are disabled: the content security policy admits only files of this server.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
  },
  server: { proxy: { '/api': API, '/health': API, '/openapi.json': API } },
});
