/** Start of all paths of an account. */
export const account = '/restapi/v1.0/account/{accountId}';
/** Start of all paths of an extension. */
export const extension = `${account}/extension/{extensionId}`;
