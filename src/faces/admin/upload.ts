import type { Readable } from 'node:stream';
import busboy from 'busboy';
import type { Request } from 'express';
import { AppError } from '#errors';
import type { Upload } from '#ports/imports';
import type { UploadContext } from './route.ts';

/** The form of imports has two fields for each of up to 200 columns. */
const LIMITS = { fields: 450, fieldNameSize: 100, fieldSize: 16_384, files: 1, parts: 460 };

/** Reads a form and streams its file to the disk, from which an error removes it.
 *  @param checkForm checks the fields before any of the file is written
 *  Errors: those of `checkForm`, MEDIA_TYPE_UNSUPPORTED, BODY_MALFORMED, UPLOAD_TOO_LARGE,
 *  DATA_DIR_UNWRITABLE. */
export async function readUpload(
  { request, uploads }: Pick<UploadContext, 'request' | 'uploads'>,
  checkForm: (form: URLSearchParams) => void,
): Promise<Pick<UploadContext, 'form' | 'upload'>> {
  const form = new URLSearchParams();
  const parser = openUploadParser(request);
  let receiving: Promise<Upload | null> = Promise.resolve(null);
  let isChecked = false;
  const checkFieldsOnce = () => {
    if (!isChecked) checkForm(form);
    isChecked = true;
  };
  const receive = async (name: string, content: Readable) => {
    checkFieldsOnce();
    return uploads.receive(name, content);
  };
  try {
    await new Promise<void>((resolve, reject) => {
      parser.on('field', (name, value) => form.append(name, value));
      parser.on('file', (_name, content, { filename }) => {
        // A reader of the file gets the error, too; without a listener, it would end the process.
        content.on('error', () => undefined);
        // Browsers send an empty file without a name if none was chosen.
        if (!filename) return void content.resume();
        receiving = receive(filename, content);
        receiving.catch(reject);
      });
      parser.on('error', (cause) => reject(createMalformedFormError(cause)));
      // The parser drops what exceeds a limit, which must not go unnoticed.
      for (const limit of ['fieldsLimit', 'partsLimit', 'filesLimit'] as const)
        parser.on(limit, () => reject(createMalformedFormError()));
      parser.on('close', resolve);
      request.on('aborted', () => reject(createMalformedFormError()));
      request.pipe(parser);
    });
    checkFieldsOnce();
    return { form, upload: await receiving };
  } catch (error) {
    request.unpipe(parser);
    parser.destroy();
    // The rest is read and dropped, as a browser reads the answer only after sending everything.
    request.resume();
    const upload = await receiving.catch(() => null);
    if (upload !== null) await uploads.remove(upload);
    throw error;
  }
}

/** Opens the parser, for multipart forms only: the bodies of other forms have been read already. */
function openUploadParser(request: Request) {
  if (!request.is('multipart/form-data')) throw createUploadTypeError();
  try {
    return busboy({ headers: request.headers, limits: LIMITS, defParamCharset: 'utf8' });
  } catch (cause) {
    throw createUploadTypeError(cause);
  }
}

const createUploadTypeError = (cause?: unknown): AppError =>
  new AppError('MEDIA_TYPE_UNSUPPORTED', 'This form is sent as multipart/form-data. Send it from its page.', { cause });

const createMalformedFormError = (cause?: unknown): AppError =>
  new AppError('BODY_MALFORMED', 'The form came only in part. Go back and send it again.', { cause });
