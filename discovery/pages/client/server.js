/** The server's address and the style of its elements: the server writes its own in place of this file. */
export const server = { url: '', style: '' };
