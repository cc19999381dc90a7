import tseslint from 'typescript-eslint'

// Biome lints; these rules need types, which it does not have.
export default tseslint.config(
  {
    ignores: [
      'dist/**',
      'node_modules/**',
      'coverage/**',
      'bin/**',
      '*.js',
      '*.cjs',
      'test/reporter.cjs',
      'fixtures/**',
    ],
  },
  {
    files: ['src/**/*.ts', 'commands/**/*.ts', 'test/**/*.ts'],
    languageOptions: {
      parser: tseslint.parser,
      parserOptions: {projectService: true, tsconfigRootDir: import.meta.dirname},
    },
    plugins: {'@typescript-eslint': tseslint.plugin},
    rules: {
      '@typescript-eslint/no-floating-promises': 'error',
      '@typescript-eslint/no-misused-promises': 'error',
      '@typescript-eslint/switch-exhaustiveness-check': 'error',
      '@typescript-eslint/only-throw-error': 'error',
      '@typescript-eslint/no-unnecessary-condition': 'error',
    },
  },
  {
    files: ['test/**/*.ts'],
    rules: {'@typescript-eslint/no-unnecessary-condition': 'off'},
  },
)
