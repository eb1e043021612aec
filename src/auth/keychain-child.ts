/**
 * Performs one keychain request in a separate process, which can be killed. A call that waits for an unlock prompt
 * cannot be canceled and prevents its process from exiting. Request and answer are one JSON object each, on stdin and
 * stdout, so that no secret is in argv. An empty line on stdout says that the call begins.
 */
import { text } from 'node:stream/consumers';
import {
  answerForError,
  performKeychainRequest,
  type KeychainAnswer,
  type KeychainCall,
} from './keychain-entry.ts';

async function answer(): Promise<KeychainAnswer> {
  try {
    const call = JSON.parse(await text(process.stdin)) as KeychainCall;
    process.stdout.write('\n');
    return await performKeychainRequest(call);
  } catch (error) {
    return answerForError(error);
  }
}

void answer().then((result) => process.stdout.write(JSON.stringify(result)));
