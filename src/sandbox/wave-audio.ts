const RATE = 8000;
const HEADER_BYTES = 44;

/** A tone as a WAV file that any player opens: 8000 samples a second, 8 bits, one channel. @param seed decides the pitch. */
export function waveAudio(durationSeconds: number, seed = 0): Uint8Array {
  const samples = Math.max(1, Math.round(durationSeconds * RATE));
  const file = Buffer.alloc(HEADER_BYTES + samples);
  file.write('RIFF', 0, 'latin1');
  file.writeUInt32LE(HEADER_BYTES - 8 + samples, 4);
  file.write('WAVEfmt ', 8, 'latin1');
  file.writeUInt32LE(16, 16);
  file.writeUInt16LE(1, 20);
  file.writeUInt16LE(1, 22);
  file.writeUInt32LE(RATE, 24);
  file.writeUInt32LE(RATE, 28);
  file.writeUInt16LE(1, 32);
  file.writeUInt16LE(8, 34);
  file.write('data', 36, 'latin1');
  file.writeUInt32LE(samples, 40);
  const wave = oneSecond(220 + (seed % 12) * 20);
  for (let at = 0; at < samples; at += RATE)
    wave.copy(file, HEADER_BYTES + at, 0, Math.min(RATE, samples - at));
  return file;
}

/** A whole number of periods, so that seconds join without a click. */
function oneSecond(hertz: number): Buffer {
  return Buffer.from(
    Array.from(
      { length: RATE },
      (_, at) => 128 + Math.round(60 * Math.sin((2 * Math.PI * hertz * at) / RATE)),
    ),
  );
}
