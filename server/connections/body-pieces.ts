import { IncomingMessage, type ServerResponse } from 'node:http';

/**
 * Counts each piece of a chunked body, also behind the answer: Node would read a body for as long as it comes.
 * @param take counts a piece; `false`: the connection was cut off
 */
export function countPieces(request: IncomingMessage, response: ServerResponse, take: () => boolean): void {
  // Node drops what nobody reads once the answer is sent, uncounted: now it counts as read.
  request.read(0);
  response.once('close', () => {
    if (request.complete) request.resume();
  });
  request.push = chunk => {
    // Node parses the rest of the 64 KiB that it has read.
    if (request.socket.destroyed || !take()) return false;
    return (response.writableFinished && chunk !== null) || IncomingMessage.prototype.push.call(request, chunk);
  };
}
