-- The tags of a task in lower case, which filters and labels compare (docs/adr/0051).
ALTER TABLE tasks ADD COLUMN label_keys TEXT NOT NULL DEFAULT '[]';
UPDATE tasks SET label_keys = lower(tags) WHERE tags <> '[]';
-- lower() changes only ASCII letters.
UPDATE tasks SET label_keys = (
  WITH RECURSIVE folded (n, text) AS (
    SELECT 1, label_keys
    UNION ALL
    SELECT n + 1, replace(text,
      substr('ÀÁÂÃÄÅÆÇÈÉÊËÌÍÎÏÐÑÒÓÔÕÖØÙÚÛÜÝÞĀĂĄĆĈĊČĎĐĒĔĖĘĚĜĞĠĢĤĦĨĪĬĮĲĴĶĹĻĽĿŁŃŅŇŊŌŎŐŒŔŖŘŚŜŞŠŢŤŦŨŪŬŮŰŲŴŶŸŹŻŽƁƂƄƆƇƉƊƋƎƏƐƑƓƔƖƗƘƜƝƟƠƢƤƦƧƩƬƮƯƱƲƳƵƷƸƼǄǇǊǍǏǑǓǕǗǙǛǞǠǢǤǦǨǪǬǮǱǴǶǷǸǺǼǾȀȂȄȆȈȊȌȎȐȒȔȖȘȚȜȞȠȢȤȦȨȪȬȮȰȲȺȻȽȾɁɃɄɅɆɈɊɌɎͰͲͶͿΆΈΉΊΌΎΏΑΒΓΔΕΖΗΘΙΚΛΜΝΞΟΠΡΣΤΥΦΧΨΩΪΫϏϘϚϜϞϠϢϤϦϨϪϬϮϴϷϹϺϽϾϿЀЁЂЃЄЅІЇЈЉЊЋЌЍЎЏАБВГДЕЖЗИЙКЛМНОПРСТУФХЦЧШЩЪЫЬЭЮЯѠѢѤѦѨѪѬѮѰѲѴѶѸѺѼѾҀҊҌҎҐҒҔҖҘҚҜҞҠҢҤҦҨҪҬҮҰҲҴҶҸҺҼҾӀӁӃӅӇӉӋӍӐӒӔӖӘӚӜӞӠӢӤӦӨӪӬӮӰӲӴӶӸӺӼӾԀԂԄԆԈԊԌԎԐԒԔԖԘԚԜԞԠԢԤԦԨԪԬԮԱԲԳԴԵԶԷԸԹԺԻԼԽԾԿՀՁՂՃՄՅՆՇՈՉՊՋՌՍՎՏՐՑՒՓՔՕՖ', n, 1),
      substr('àáâãäåæçèéêëìíîïðñòóôõöøùúûüýþāăąćĉċčďđēĕėęěĝğġģĥħĩīĭįĳĵķĺļľŀłńņňŋōŏőœŕŗřśŝşšţťŧũūŭůűųŵŷÿźżžɓƃƅɔƈɖɗƌǝəɛƒɠɣɩɨƙɯɲɵơƣƥʀƨʃƭʈưʊʋƴƶʒƹƽǆǉǌǎǐǒǔǖǘǚǜǟǡǣǥǧǩǫǭǯǳǵƕƿǹǻǽǿȁȃȅȇȉȋȍȏȑȓȕȗșțȝȟƞȣȥȧȩȫȭȯȱȳⱥȼƚⱦɂƀʉʌɇɉɋɍɏͱͳͷϳάέήίόύώαβγδεζηθικλμνξοπρστυφχψωϊϋϗϙϛϝϟϡϣϥϧϩϫϭϯθϸϲϻͻͼͽѐёђѓєѕіїјљњћќѝўџабвгдежзийклмнопрстуфхцчшщъыьэюяѡѣѥѧѩѫѭѯѱѳѵѷѹѻѽѿҁҋҍҏґғҕҗҙқҝҟҡңҥҧҩҫҭүұҳҵҷҹһҽҿӏӂӄӆӈӊӌӎӑӓӕӗәӛӝӟӡӣӥӧөӫӭӯӱӳӵӷӹӻӽӿԁԃԅԇԉԋԍԏԑԓԕԗԙԛԝԟԡԣԥԧԩԫԭԯաբգդեզէըթժիլխծկհձղճմյնշոչպջռսվտրցւփքօֆ', n, 1))
    FROM folded WHERE n <= 438)
  SELECT text FROM folded WHERE n = 439)
WHERE tags <> '[]' AND octet_length(tags) > length(tags);
DROP INDEX tasks_tagged;
CREATE INDEX tasks_tagged ON tasks (ws, project, bucket, assignee, due, updated_at, label_keys) WHERE label_keys <> '[]';
-- The color and description that a workspace gives to a tag.
CREATE TABLE labels (
  ws INTEGER NOT NULL,
  label_key TEXT NOT NULL,
  color TEXT,
  description TEXT,
  PRIMARY KEY (ws, label_key)
) WITHOUT ROWID;
-- The unarchived tasks with a tag, per project and in the workspace (project 0).
CREATE TABLE label_counts (
  ws INTEGER NOT NULL,
  project INTEGER NOT NULL,
  label_key TEXT NOT NULL,
  -- The tag as one of the tasks spells it.
  name TEXT NOT NULL,
  tasks INTEGER NOT NULL DEFAULT 0,
  PRIMARY KEY (ws, project, label_key)
) WITHOUT ROWID;
CREATE TRIGGER label_counts_unused AFTER UPDATE OF tasks ON label_counts WHEN NEW.tasks = 0 BEGIN DELETE FROM label_counts WHERE ws = NEW.ws AND project = NEW.project AND label_key = NEW.label_key; END;
INSERT INTO label_counts (ws, project, label_key, name, tasks)
  SELECT t.ws, iif(r.column1, t.project, 0), k.value, min(json_extract(t.tags, '$[' || k.key || ']')), count(DISTINCT t.id)
  FROM tasks t CROSS JOIN json_each(t.label_keys) k CROSS JOIN (VALUES (0), (1)) r
  WHERE t.label_keys <> '[]' AND t.archived = 0 AND t.ws > 0
  GROUP BY 1, 2, 3;
