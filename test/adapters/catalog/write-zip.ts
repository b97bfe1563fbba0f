import { crc32, deflateRawSync } from 'node:zlib';

export interface ZipOptions {
  /** Instead of the length of what is in it. */
  readonly claimedBytes?: number;
  /** 1 says that it is encrypted. */
  readonly flags?: number;
}

/** A ZIP file with these entries. Source: APPNOTE.TXT 6.3.10, 4.3. */
export function writeZip(files: Readonly<Record<string, string | Buffer>>, options: ZipOptions = {}): Buffer {
  const locals: Buffer[] = [];
  const central: Buffer[] = [];
  let offset = 0;
  for (const [name, text] of Object.entries(files)) {
    const data = Buffer.from(text);
    const packed = deflateRawSync(data);
    const common = commonHeader(data, packed, { name, ...options });
    const local = Buffer.concat([Buffer.from('PK\u0003\u0004'), common, Buffer.from(name), packed]);
    const attributes = Buffer.alloc(14);
    attributes.writeUInt32LE(offset, 10);
    central.push(
      Buffer.concat([Buffer.from('PK\u0001\u0002\u0014\0', 'latin1'), common, attributes, Buffer.from(name)]),
    );
    locals.push(local);
    offset += local.length;
  }
  const list = Buffer.concat(central);
  const end = Buffer.alloc(22);
  end.write('PK\u0005\u0006', 'latin1');
  end.writeUInt16LE(central.length, 8);
  end.writeUInt16LE(central.length, 10);
  end.writeUInt32LE(list.length, 12);
  end.writeUInt32LE(offset, 16);
  return Buffer.concat([...locals, list, end]);
}

function commonHeader(
  data: Buffer,
  packed: Buffer,
  { name, claimedBytes = data.length, flags = 0 }: ZipOptions & { readonly name: string },
): Buffer {
  const header = Buffer.alloc(26);
  header.writeUInt16LE(20, 0);
  header.writeUInt16LE(flags, 2);
  header.writeUInt16LE(8, 4);
  header.writeUInt32LE(crc32(data), 10);
  header.writeUInt32LE(packed.length, 14);
  header.writeUInt32LE(claimedBytes, 18);
  header.writeUInt16LE(Buffer.byteLength(name), 22);
  return header;
}
