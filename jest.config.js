/** @type {import('jest').Config} */
export default {
  testEnvironment: '<rootDir>/scripts/jest-environment.js',
  roots: ['<rootDir>/tests'],
  testMatch: ['**/*.test.ts'],
  extensionsToTreatAsEsm: ['.ts'],
  transform: {
    '^.+\\.ts$': '<rootDir>/scripts/jest-transform.js',
    '/node_modules/.+\\.[cm]?js$': '<rootDir>/scripts/jest-packages.js',
  },
  // Packages, too: evaluated anew in each file, they take more time than most tests.
  transformIgnorePatterns: [],
  globalSetup: '<rootDir>/tests/support/global-setup.ts',
  globalTeardown: '<rootDir>/tests/support/global-teardown.ts',
  reporters: ['default', '<rootDir>/scripts/jest-reporter.js'],
  // What takes a second here takes twenty on a machine that is busy with other work.
  testTimeout: 60_000,
  // With the project's modules anew for each file, Jest forgets none of them: its worker is replaced by a new one
  // before that fills the memory. Half of the time a file waits for a server or a clock; with more than two at a time,
  // on two cores, what runs by the clock comes late: the suites start servers and bots of their own.
  maxWorkers: 2,
  workerIdleMemoryLimit: '1GB',
  // Agenda holds a timer per finished job for half its lock's lifetime, which would keep Jest alive.
  forceExit: true,
}
