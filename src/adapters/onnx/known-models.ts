import { AppError } from '../../errors.ts';
import { type ModelFileName, type ModelManifest, modelFileNames } from './manifest.ts';

/** A file that is fetched: always the same bytes, wherever they come from. */
export interface PinnedFile {
  /** Within the repository. */
  readonly path: string;
  readonly size: number;
  readonly sha256: string;
}

/** A model that can be installed by its name. */
export interface KnownModel extends Omit<ModelManifest, 'files' | 'source' | 'installedAt'> {
  /** `owner/name`, as the hub has it. */
  readonly repository: string;
  readonly commit: string;
  readonly files: Readonly<Record<ModelFileName, PinnedFile>>;
}

/** Both were made from the models of their authors by the same conversion, into int8 without a calibration. Sizes and checksums are
 *  those that many public projects pin for these commits. */
export const knownModels: readonly KnownModel[] = [
  {
    format: 1,
    name: 'all-MiniLM-L6-v2',
    dimensions: 384,
    maxTokens: 256,
    pooling: 'mean',
    prefixes: { query: '', passage: '' },
    langs: ['en'],
    licence: 'Apache-2.0',
    repository: 'Xenova/all-MiniLM-L6-v2',
    commit: '751bff37182d3f1213fa05d7196b954e230abad9',
    files: {
      'model.onnx': {
        path: 'onnx/model_quantized.onnx',
        size: 22_972_370,
        sha256: 'afdb6f1a0e45b715d0bb9b11772f032c399babd23bfc31fed1c170afc848bdb1',
      },
      'tokenizer.json': {
        path: 'tokenizer.json',
        size: 711_661,
        sha256: 'da0e79933b9ed51798a3ae27893d3c5fa4a201126cef75586296df9b4d2c62a0',
      },
      'tokenizer_config.json': {
        path: 'tokenizer_config.json',
        size: 366,
        sha256: '9261e7d79b44c8195c1cada2b453e55b00aeb81e907a6664974b4d7776172ab3',
      },
    },
  },
  {
    format: 1,
    name: 'multilingual-e5-small',
    dimensions: 384,
    maxTokens: 512,
    pooling: 'mean',
    prefixes: { query: 'query: ', passage: 'passage: ' },
    langs: null,
    // Of the authors' model, intfloat/multilingual-e5-small; the conversion names none of its own.
    licence: 'MIT',
    repository: 'Xenova/multilingual-e5-small',
    commit: '761b726dd34fb83930e26aab4e9ac3899aa1fa78',
    files: {
      'model.onnx': {
        path: 'onnx/model_quantized.onnx',
        size: 118_308_185,
        sha256: 'f80102d3f2a1229f387d3c81909990d8945513e347b0eab049f7de3c6f98c193',
      },
      'tokenizer.json': {
        path: 'tokenizer.json',
        size: 17_082_730,
        sha256: '0b44a9d7b51c3c62626640cda0e2c2f70fdacdc25bbbd68038369d14ebdf4c39',
      },
      'tokenizer_config.json': {
        path: 'tokenizer_config.json',
        size: 443,
        sha256: 'a1d6bc8734a6f635dc158508bef000f8e2e5a759c7d92f984b2c86e5ff53425b',
      },
    },
  },
];

export const ENGLISH_MODEL = 'all-MiniLM-L6-v2';
export const MULTILINGUAL_MODEL = 'multilingual-e5-small';

/** Errors: MODEL_UNKNOWN. */
export function getKnownModel(name: string): KnownModel {
  const known = knownModels.find((each) => each.name === name);
  if (known !== undefined) return known;
  throw new AppError(
    'MODEL_UNKNOWN',
    `No model ${name} can be installed by its name. There are ${knownModels.map((each) => each.name).join(' and ')}; any other is added from a folder: skilldock model add FOLDER.`,
  );
}

/** Bytes of all its files. */
export function sizeOfModel({ files }: Pick<ModelManifest, 'files'>): number {
  return modelFileNames.reduce((sum, name) => sum + files[name].size, 0);
}

/** As it is written into its folder. */
export function toManifest({ repository, commit, files, ...model }: KnownModel, now: Date): ModelManifest {
  const strip = ({ size, sha256 }: PinnedFile) => ({ size, sha256 });
  return {
    ...model,
    source: `${repository}@${commit}`,
    files: {
      'model.onnx': strip(files['model.onnx']),
      'tokenizer.json': strip(files['tokenizer.json']),
      'tokenizer_config.json': strip(files['tokenizer_config.json']),
    },
    installedAt: now.toISOString(),
  };
}
