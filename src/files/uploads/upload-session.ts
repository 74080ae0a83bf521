import { DurableObject } from 'cloudflare:workers';
import { parseEnv } from '../../env.ts';
import { describeError, log } from '../../kernel/operation/log.ts';
import { CostMeter } from '../../kernel/sql/cost.ts';
import { Database } from '../../kernel/sql/database.ts';
import { buildFileHeaders } from '../attachments/attachments.policy.ts';
import { endUpload, findAttachmentIdByKey } from '../attachments/storage.queries.ts';
import { PartList } from './part-list.queries.ts';
import { pipePart } from './pipe-part.ts';
import type {
  AssemblyResult,
  PutPartResult,
  Session,
  SessionView,
  UploadPart,
  UploadPlan,
} from './session-state.ts';

const SESSION_KEY = 'session';

/** The database decides whether an upload becomes an attachment. This object's state only follows that decision. */
export class UploadSession extends DurableObject<Env> {
  /**
   * Running uploads by part number. Uploads of the same part wait for each other, because R2 keeps only one of them.
   */
  readonly #runningParts = new Map<number, Promise<unknown>>();
  #assembling: Promise<string> | null = null;

  async open(plan: UploadPlan): Promise<void> {
    const { contentType, contentDisposition } = buildFileHeaders(plan.fileName, plan.fileType);
    const upload = await this.env.FILES.createMultipartUpload(plan.s3Key, {
      httpMetadata: { contentType, contentDisposition },
    });
    this.#save({ plan, uploadId: upload.uploadId, state: 'open', etag: null });
    await this.ctx.storage.setAlarm(plan.expiresAt);
  }

  async view(owner: string): Promise<SessionView | null> {
    const session = this.#findOwnSession(owner);
    if (!session) return null;
    const { plan, state } = session;
    const { count, bytes } = this.#getParts().getTotals();
    const missingParts = state === 'open' ? this.#getParts().listMissing(plan.totalChunks) : [];
    return { plan, state, receivedChunks: count, receivedBytes: bytes, missingParts };
  }

  /** Calls `isAllowed` after the last byte and stores nothing if it returns false. */
  async putPart(
    owner: string,
    part: UploadPart,
    bytes: ReadableStream<Uint8Array>,
    isAllowed: () => Promise<boolean>,
  ): Promise<PutPartResult> {
    const before = this.#runningParts.get(part.number) ?? Promise.resolve();
    const running = before.then(() => this.#putPart(owner, part, bytes, isAllowed));
    const settled = running.catch(() => undefined);
    this.#runningParts.set(part.number, settled);
    try {
      return await running;
    } finally {
      if (this.#runningParts.get(part.number) === settled) this.#runningParts.delete(part.number);
    }
  }

  async #putPart(
    owner: string,
    part: UploadPart,
    bytes: ReadableStream<Uint8Array>,
    isAllowed: () => Promise<boolean>,
  ): Promise<PutPartResult> {
    const ended = this.#getClosedResult(owner);
    const session = this.#findOwnSession(owner);
    if (ended || !session) {
      void bytes.cancel().catch(() => undefined);
      return ended ?? { kind: 'gone' };
    }
    // Until this part is stored, R2 may have its old or its new bytes, so the part list omits it.
    this.#getParts().delete(part.number);
    const upload = this.env.FILES.resumeMultipartUpload(session.plan.s3Key, session.uploadId);
    const piped = pipePart(bytes, part.size, part.sha256 !== null);
    let outcome: [R2UploadedPart, string | null];
    try {
      outcome = await Promise.all([upload.uploadPart(part.number, piped.readable), piped.sha256]);
    } catch (error) {
      // A concurrent abort also makes the upload fail, but that isn't an error.
      const endedSince = this.#getClosedResult(owner);
      if (endedSince) return endedSince;
      if (await piped.hasSenderAborted()) return { kind: 'broken' };
      throw error;
    }
    if (!(await isAllowed())) return { kind: 'refused' };
    const endedSince = this.#getClosedResult(owner);
    if (endedSince) return endedSince;
    const [uploaded, sha256] = outcome;
    if (part.sha256 !== null && sha256 !== part.sha256) return { kind: 'mismatch', sha256: sha256 ?? '' };
    this.#getParts().put(part.number, uploaded.etag, part.size);
    return { kind: 'stored', receivedChunks: this.#getParts().getTotals().count };
  }

  /** Can be called at any time, in parallel, and after a crash. */
  async assemble(owner: string): Promise<AssemblyResult> {
    const session = this.#findOwnSession(owner);
    if (!session) return { kind: 'gone' };
    if (session.state === 'aborted') return { kind: 'aborted' };
    if (session.etag !== null) return { kind: 'assembled', etag: session.etag };
    if (session.state === 'open') {
      const missingParts = this.#getParts().listMissing(session.plan.totalChunks);
      if (missingParts.length > 0) return { kind: 'missing', missingParts };
      this.#save({ ...session, state: 'completing' });
    }
    this.#assembling ??= this.#assemble(session).finally(() => {
      this.#assembling = null;
    });
    const etag = await this.#assembling;
    const after = this.#findOwnSession(owner);
    if (!after) return { kind: 'gone' };
    return after.state === 'aborted' ? { kind: 'aborted' } : { kind: 'assembled', etag };
  }

  async #assemble({ plan, uploadId }: Session): Promise<string> {
    const { FILES } = this.env;
    let object: R2Object;
    try {
      object = await FILES.resumeMultipartUpload(plan.s3Key, uploadId).complete(this.#getParts().list());
    } catch (error) {
      // R2 rejects a second completion. After a crash, the first one may already have created the file.
      const found = await FILES.head(plan.s3Key);
      const current = this.#load();
      if (found?.size !== plan.fileSize) {
        if (current?.state === 'completing') this.#save({ ...current, state: 'open' });
        throw error;
      }
      object = found;
    }
    const current = this.#load();
    if (current?.state === 'completing') this.#save({ ...current, state: 'assembled', etag: object.etag });
    return object.etag;
  }

  /** Must be called after the database has recorded the attachment. */
  async finish(): Promise<void> {
    const session = this.#load();
    if (session && session.state !== 'completed') this.#save({ ...session, state: 'completed' });
  }

  /** Must be called after the database has released the reservation. */
  async abort(): Promise<void> {
    const session = this.#load();
    if (!session || session.state === 'completed') return;
    this.#save({ ...session, state: 'aborted' });
    await this.#discardBytes(session);
  }

  async discard(): Promise<void> {
    const session = this.#load();
    if (session) await this.#discardBytes(session);
    await this.ctx.storage.deleteAlarm();
    await this.ctx.storage.deleteAll();
  }

  override async alarm(): Promise<void> {
    const session = this.#load();
    if (!session) return;
    // Alarms can run early, and more than once.
    if (Date.now() < session.plan.expiresAt) {
      await this.ctx.storage.setAlarm(session.plan.expiresAt);
      return;
    }
    await this.expire();
  }

  /** Works in any state. Deletes only bytes that belong to no attachment. */
  async expire(): Promise<void> {
    const session = this.#load();
    if (!session) return;
    const { cell, s3Key } = session.plan;
    if (session.state !== 'completed') {
      const binding = parseEnv(this.env).cells.get(cell);
      if (!binding) throw new Error(`CELL_${cell} is not bound; see docs/scaling.md`);
      const database = new Database(binding, new CostMeter());
      const ended = await database.batch([findAttachmentIdByKey(s3Key), ...endUpload(s3Key)]);
      const [recorded] = ended as [{ id: number } | null];
      if (!recorded) await this.#discardBytes(session);
    }
    await this.ctx.storage.deleteAll();
  }

  /** If a deletion fails, R2 removes the parts after a week, and `sweepObjects` removes the object. */
  async #discardBytes({ plan, uploadId }: Session) {
    const { FILES } = this.env;
    const work = [FILES.resumeMultipartUpload(plan.s3Key, uploadId).abort(), FILES.delete(plan.s3Key)];
    for (const result of await Promise.allSettled(work)) {
      if (result.status === 'rejected') {
        log('info', 'upload.discard', { session: plan.sessionId, cause: describeError(result.reason) });
      }
    }
  }

  #getClosedResult(owner: string): PutPartResult | null {
    const session = this.#findOwnSession(owner);
    if (!session) return { kind: 'gone' };
    return session.state === 'open' ? null : { kind: 'closed', state: session.state };
  }

  #findOwnSession(owner: string): Session | null {
    const session = this.#load();
    if (!session || session.plan.owner !== owner || session.plan.expiresAt <= Date.now()) return null;
    return session;
  }

  #load(): Session | null {
    return this.ctx.storage.kv.get<Session>(SESSION_KEY) ?? null;
  }

  #save(session: Session) {
    this.ctx.storage.kv.put(SESSION_KEY, session);
  }

  #getParts(): PartList {
    return new PartList(this.ctx.storage.sql);
  }
}
