export class PartList {
  readonly #sql: SqlStorage;

  constructor(sql: SqlStorage) {
    this.#sql = sql;
    sql.exec(
      'CREATE TABLE IF NOT EXISTS parts (number INTEGER PRIMARY KEY, etag TEXT NOT NULL, size INTEGER NOT NULL)',
    );
  }

  put(number: number, etag: string, size: number) {
    this.#sql.exec('INSERT OR REPLACE INTO parts (number, etag, size) VALUES (?, ?, ?)', number, etag, size);
  }

  delete(number: number) {
    this.#sql.exec('DELETE FROM parts WHERE number = ?', number);
  }

  list(): R2UploadedPart[] {
    return this.#sql
      .exec<{ number: number; etag: string }>('SELECT number, etag FROM parts ORDER BY number')
      .toArray()
      .map(({ number, etag }) => ({ partNumber: number, etag }));
  }

  getTotals(): { count: number; bytes: number } {
    return this.#sql
      .exec<{ count: number; bytes: number }>(
        'SELECT count(*) AS count, coalesce(sum(size), 0) AS bytes FROM parts',
      )
      .one();
  }

  listMissing(total: number): number[] {
    const known = new Set(this.list().map((part) => part.partNumber));
    return Array.from({ length: total }, (_, index) => index + 1).filter((number) => !known.has(number));
  }
}
