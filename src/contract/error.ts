import { z } from 'zod';

const detail = {
  errorCode: z.string(),
  message: z.string(),
  parameterName: z.string().optional(),
  parameterValue: z.string().optional(),
  permissionName: z.string().optional(),
};
/** The service's error body (ERROR-1). */
export const ErrorReply = z.strictObject({
  ...detail,
  errors: z.array(z.strictObject(detail)).optional(),
});
export type ErrorReply = z.infer<typeof ErrorReply>;
