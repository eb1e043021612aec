const words =
  'invoice meeting refund parcel please call tomorrow the agreement was signed today thanks order number late train office customer'.split(
    ' ',
  );
const newest = Date.UTC(2026, 0, 5, 9);

/** Message number `index`, newest first, as JSON of about 600 bytes. */
export function record(index) {
  const time = new Date(newest - index * 20_000).toISOString();
  const text = Array.from(
    { length: 12 },
    (_, word) => words[(index * 7 + word * (index % 13)) % words.length],
  ).join(' ');
  const conversation = String(8_031_152_018_000_000_000n + BigInt(index % 5000));
  const base = 'https://service.example/restapi/v1.0/account/1/extension/7/message-store';
  const other = `+1555${String(1_000_000 + (index % 5000))}`;
  return `{"uri":"${base}/${40_000_000_000 - index}","id":${40_000_000_000 - index},"to":[{"phoneNumber":"+16505550112","name":"Alice Walker"}],"from":{"phoneNumber":"${other}"},"type":"SMS","creationTime":"${time}","lastModifiedTime":"${time}","readStatus":"Read","priority":"Normal","attachments":[],"direction":"Inbound","availability":"Alive","subject":"${text}","messageStatus":"Received","conversationId":${conversation},"conversation":{"id":"${conversation}","uri":"${base}/x"}}`;
}
