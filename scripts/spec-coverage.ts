import { writeFileSync } from 'node:fs';
import { operationsDocument } from '../test/support/operations-document.ts';
import { permissionsDocument } from '../test/support/permissions-document.ts';
import { specTestsDocument } from '../test/support/spec-tests-document.ts';

// Writes the documents that show which rules of docs/spec are served and tested; test/sandbox/spec-coverage.test.ts
// compares them.
writeFileSync('docs/internals/operations.md', operationsDocument());
writeFileSync('docs/internals/spec-tests.md', specTestsDocument('test'));
writeFileSync('docs/internals/sandbox-permissions.md', await permissionsDocument());
