import type { Readable } from 'node:stream';
import busboy from 'busboy';
import type { Request } from 'express';
import { AppError } from '#errors';
import type { Upload, Uploads } from '#ports/imports';

interface UploadForm {
  readonly form: URLSearchParams;
  /** Null if no file was chosen. */
  readonly upload: Upload | null;
}

interface ReadUploadOptions {
  readonly uploads: Uploads;
  /** Checks the fields before any of the file is written. Throws for forms of other sites. */
  checkForm(form: URLSearchParams): void;
}

/** The form of imports has two fields for each of up to 200 columns. */
const LIMITS = { fields: 450, fieldNameSize: 100, fieldSize: 16_384, files: 1, parts: 460 };

/** Reads a form and streams its file to the disk, from which an error removes it.
 *  Errors: those of `checkForm`, MEDIA_TYPE_UNSUPPORTED, BODY_MALFORMED, UPLOAD_TOO_LARGE,
 *  DATA_DIR_UNWRITABLE. */
export async function readUpload(request: Request, { uploads, checkForm }: ReadUploadOptions): Promise<UploadForm> {
  const form = new URLSearchParams();
  const parser = openUploadParser(request);
  let receiving: Promise<Upload | null> = Promise.resolve(null);
  let isChecked = false;
  const checkFieldsOnce = () => {
    if (!isChecked) checkForm(form);
    isChecked = true;
  };
  try {
    await new Promise<void>((resolve, reject) => {
      parser.on('field', (name, value) => form.append(name, value));
      parser.on('file', (_name, content, { filename }) => {
        // A reader of the file gets the error, too; without a listener, it would end the process.
        content.on('error', () => undefined);
        receiving = receiveUpload(filename, content, () => {
          checkFieldsOnce();
          return uploads;
        });
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

/** Stores the file; null if none was chosen, for which browsers send an empty file without a name. */
async function receiveUpload(name: string | undefined, content: Readable, open: () => Uploads): Promise<Upload | null> {
  if (name === undefined || name === '') {
    content.resume();
    return null;
  }
  return open().receive(name, content);
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

function createUploadTypeError(cause?: unknown): AppError {
  return new AppError('MEDIA_TYPE_UNSUPPORTED', 'This form is sent as multipart/form-data. Send it from its page.', {
    cause,
  });
}

const createMalformedFormError = (cause?: unknown): AppError =>
  new AppError('BODY_MALFORMED', 'The form came only in part. Go back and send it again.', { cause });
