import { defineConfig, globalIgnores } from 'eslint/config'
import tseslint from 'typescript-eslint'

const ENVIRONMENT = {
  selector: "MemberExpression[object.name='process'][property.name='env']",
  message: 'The environment is read once, by core/config.ts; pass the Config on.',
}
const DEFAULT_EXPORT = {
  selector: 'ExportDefaultDeclaration',
  message: 'Export by name.',
}
const CAN_PARSE = {
  selector: "MemberExpression[object.name='URL'][property.name='canParse']",
  message:
    'In Node 20 it fails for other alphabets once it is compiled; use readUrl of core/urls.ts.',
}

const UNGUARDED =
  'An address that a user gave is reached through ctx.egress alone, which guards it.'

/** Layers, sizes and the clock are held by tests/unit/architecture.test.ts. */
export default defineConfig(
  globalIgnores([
    ...['generated/', 'dist/', 'node_modules/', 'coverage/', '.data/', 'docs/', 'examples/'],
  ]),
  {
    files: ['**/*.ts'],
    extends: [tseslint.configs.recommendedTypeChecked],
    languageOptions: {
      parserOptions: { projectService: true, tsconfigRootDir: import.meta.dirname },
    },
    rules: {
      '@typescript-eslint/consistent-type-imports': ['error', { fixStyle: 'inline-type-imports' }],
      '@typescript-eslint/no-explicit-any': 'error',
      '@typescript-eslint/no-non-null-assertion': 'error',
      '@typescript-eslint/switch-exhaustiveness-check': [
        'error',
        { considerDefaultExhaustiveForUnions: true },
      ],
      // tsc finds unused names itself, and knows that a value may serve for its type alone.
      '@typescript-eslint/no-unused-vars': 'off',
      // What is written like a method is a closure without a `this`, but in the few classes that there are.
      '@typescript-eslint/unbound-method': 'off',
      // What a callback was given is passed on as it came.
      '@typescript-eslint/prefer-promise-reject-errors': 'off',
      '@typescript-eslint/restrict-template-expressions': [
        'error',
        { allowNumber: true, allow: ['URL', 'URLSearchParams'] },
      ],
      // A promise that a caller awaits may be made by a function that has nothing to wait for.
      '@typescript-eslint/require-await': 'off',
      eqeqeq: ['error', 'always', { null: 'ignore' }],
      'no-console': 'error',
      'no-restricted-syntax': ['error', ENVIRONMENT, DEFAULT_EXPORT, CAN_PARSE],
    },
  },
  {
    // What people name may stand for the inside of a network; see also the libraries of each folder.
    files: ['**/*.ts'],
    ignores: ['egress/**', 'channel/**', 'scripts/**', 'tests/**', 'bench/**'],
    rules: {
      'no-restricted-globals': [
        'error',
        ...['fetch', 'WebSocket', 'EventSource'].map((name) => ({ name, message: UNGUARDED })),
      ],
      'no-restricted-properties': [
        'error',
        { object: 'globalThis', property: 'fetch', message: UNGUARDED },
      ],
      '@typescript-eslint/no-restricted-imports': [
        'error',
        {
          paths: [
            ...['node:http', 'node:https', 'http', 'https'].map((name) => ({
              ...{ name, message: UNGUARDED },
              importNames: ['default', 'request', 'get', 'Agent', 'ClientRequest'],
              allowTypeImports: true,
            })),
            ...['node:net', 'node:tls', 'node:http2', 'net', 'tls', 'http2'].map((name) => ({
              ...{ name, message: UNGUARDED },
              importNames: ['default', 'connect', 'createConnection'],
            })),
          ],
        },
      ],
    },
  },
  {
    // Where the environment comes in: the process itself, and what prepares the suite's servers.
    files: ['main.ts', 'scripts/**/*.ts', 'tests/**/*.ts', 'bench/**/*.ts'],
    rules: { 'no-restricted-syntax': ['error', DEFAULT_EXPORT, CAN_PARSE] },
  },
  {
    // Tools demand a default export here.
    files: ['*.config.ts', 'tests/support/global-*.ts'],
    rules: { 'no-restricted-syntax': 'off' },
  },
  {
    // What comes over the network or from Jest's matchers has no type; the test itself checks it.
    files: ['tests/**/*.ts', 'bench/**/*.ts'],
    rules: {
      // A listener of a test's own server that fails, fails the test.
      '@typescript-eslint/no-misused-promises': [
        'error',
        { checksVoidReturn: { arguments: false } },
      ],
      '@typescript-eslint/no-non-null-assertion': 'off',
      '@typescript-eslint/no-unsafe-argument': 'off',
      '@typescript-eslint/no-unsafe-assignment': 'off',
      '@typescript-eslint/no-unsafe-call': 'off',
      '@typescript-eslint/no-unsafe-member-access': 'off',
      '@typescript-eslint/no-unsafe-return': 'off',
    },
  },
  {
    files: ['scripts/**/*.ts', 'tests/**/*.ts', 'bench/**/*.ts'],
    rules: { 'no-console': 'off' },
  },
)
