import { runInDurableObject } from 'cloudflare:test';
import type { UploadSession } from '../../../src/files/uploads/upload-session.ts';
import { env } from '../../support/env.ts';

/** A call fails before it takes effect, or afterward, in which case only its response is lost. */
export type FaultMoment = 'before' | 'after';

/** Records the calls of each step, and fails the configured calls. */
export class StepFaults {
  readonly #failing: ReadonlyMap<string, FaultMoment>;
  failed = 0;
  readonly calls: string[] = [];

  /** @param failing the moment at which the calls of each step fail. Set `isHealed` to stop the failures. */
  constructor(failing: Record<string, FaultMoment>) {
    this.#failing = new Map(Object.entries(failing));
  }

  isHealed = false;

  async runStep<T>(step: string, error: Error, work: () => Promise<T>): Promise<T> {
    this.calls.push(step);
    const moment = this.isHealed ? undefined : this.#failing.get(step);
    if (moment === undefined) return work();
    this.failed += 1;
    if (moment === 'after') await work();
    throw error;
  }
}

const createR2Error = () => new Error('We encountered an internal error. Please try again. (10001)');

/**
 * Creates a bucket whose steps can fail: head, get, list, delete, createMultipartUpload, uploadPart, complete,
 * abort.
 */
export function createFaultyBucket(faults: StepFaults, bucket = env.FILES): R2Bucket {
  const runStep = wrapSteps(faults);
  return new Proxy(bucket, {
    get(target, name: string) {
      if (name === 'resumeMultipartUpload') {
        return (key: string, id: string) =>
          new Proxy(target.resumeMultipartUpload(key, id), {
            get: (upload, step: string) => runStep(upload, step),
          });
      }
      return runStep(target, name);
    },
  });
}

function wrapSteps(faults: StepFaults) {
  return (target: object, step: string) => {
    const value = Reflect.get(target, step);
    if (typeof value !== 'function') return value;
    return (...args: unknown[]) =>
      faults.runStep(step, createR2Error(), async () => value.apply(target, args));
  };
}

export function createSessionsWithFaultyBucket(faults: StepFaults): DurableObjectNamespace<UploadSession> {
  const FILES = createFaultyBucket(faults);
  return wrapObjects(async (stub) => {
    await runInDurableObject(stub, (instance) => {
      Object.assign(instance, { env: { ...env, FILES } });
    });
  });
}

export function createFaultySessions(faults: StepFaults, kind: 'reset' | 'overloaded') {
  return wrapObjects(async () => undefined, wrapCalls(faults, kind));
}

export function createFaultyWindows(
  faults: StepFaults,
  kind: 'reset' | 'overloaded',
): DurableObjectNamespace {
  const createFaultyStub = (name: string) =>
    new Proxy(env.RATE_WINDOW.getByName(name), {
      get: (target, method: string) =>
        wrapCalls(faults, kind)(method, (...args) => callMethod(target, method)(...args)),
    });
  return { getByName: createFaultyStub } as unknown as DurableObjectNamespace;
}

type CalledMethod = (...args: unknown[]) => Promise<unknown>;

/** Every property of a stub is also a promise, so a method must be read and called in one expression. */
function callMethod(stub: object, method: string): CalledMethod {
  return (...args) =>
    (stub as Record<string, CalledMethod>)[method]?.(...args) ?? Promise.reject(new Error(method));
}

function wrapCalls(faults: StepFaults, kind: 'reset' | 'overloaded') {
  const createError = () =>
    kind === 'reset'
      ? Object.assign(new Error('Durable Object reset because its code was updated.'), { retryable: true })
      : Object.assign(new Error('Durable Object is overloaded. Too many requests queued.'), {
          overloaded: true,
        });
  return (method: string, call: CalledMethod): CalledMethod =>
    (...args) =>
      faults.runStep(method, createError(), () => call(...args));
}

function wrapObjects(
  wake: (stub: DurableObjectStub<UploadSession>) => Promise<void>,
  wrap: (method: string, call: CalledMethod) => CalledMethod = (_method, call) => call,
): DurableObjectNamespace<UploadSession> {
  const createFaultyStub = (name: string) => {
    const stub = env.UPLOAD_SESSION.getByName(name);
    return new Proxy(stub, {
      get: (_target, method: string) =>
        wrap(method, async (...args) => {
          await wake(stub);
          return callMethod(stub, method)(...args);
        }),
    });
  };
  return { getByName: createFaultyStub } as unknown as DurableObjectNamespace<UploadSession>;
}
