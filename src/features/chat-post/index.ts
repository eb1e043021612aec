export { postProblems, readPost } from './post.ts';
