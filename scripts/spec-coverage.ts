import { writeFileSync } from 'node:fs';
import { operationsDocument } from '../test/support/operations-document.ts';
import { permissionsDocument } from '../test/support/permissions-document.ts';
import { specTestsDocument } from '../test/support/spec-tests-document.ts';

// The documents on what of docs/spec is served and tested; test/sandbox/spec-coverage.test.ts compares them.
writeFileSync('docs/operations.md', operationsDocument());
writeFileSync('docs/spec-tests.md', specTestsDocument('test'));
writeFileSync('docs/sandbox-permissions.md', await permissionsDocument());
