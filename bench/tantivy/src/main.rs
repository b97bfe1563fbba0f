//! Tantivy in a process of its own, which keeps its own clock, as LucenePeer.java does: lines of
//! tabs come in, documents between `begin` and `finish`, `add` after each batch, then passes of
//! queries, each ended by how they are answered.
use std::io::{self, BufRead, Lines, StdinLock, Write};
use std::path::{Path, PathBuf};
use std::time::Instant;

use tantivy::collector::{Count, TopDocs};
use tantivy::query::{BooleanQuery, BoostQuery, ConstScoreQuery, DisjunctionMaxQuery};
use tantivy::query::{FuzzyTermQuery, Occur, Query, TermQuery};
use tantivy::schema::{Field, IndexRecordOption, Schema, TextFieldIndexing, TextOptions, Value, STORED, STRING};
use tantivy::tokenizer::{AsciiFoldingFilter, LowerCaser, SimpleTokenizer, TextAnalyzer};
use tantivy::{DocAddress, Index, IndexWriter, Score, Searcher, TantivyDocument, Term};

const TEXTS: [&str; 4] = ["title", "keywords", "description", "publishers"];
const BOOSTS: [Score; 4] = [3.0, 2.0, 1.0, 1.0];
const HITS: usize = 10;
const THREADS: usize = 2;
const WRITER_BYTES: usize = 512 << 20;
/// Where a document's line has its type, after id, texts and provider.
const TYPE_COLUMN: usize = 6;

struct Peer {
    folder: PathBuf,
    /// Of CPU, or the wall's.
    is_cpu: bool,
    /// All texts of a document in one field, so that a word has one list of documents.
    has_one_field: bool,
    id: Field,
    kind: Field,
    texts: Vec<Field>,
    schema: Schema,
}

type Input<'a> = Lines<StdinLock<'a>>;

fn main() -> tantivy::Result<()> {
    let arguments: Vec<String> = std::env::args().collect();
    let peer = Peer::new(
        Path::new(&arguments[1]),
        arguments[2] == "cpu",
        arguments[3] == "one-field",
    );
    let mut input = io::stdin().lock().lines();
    if input.next().expect("begin or open")? == "begin" {
        peer.build(&mut input)?;
    }
    peer.answer(&mut input)
}

impl Peer {
    fn new(folder: &Path, is_cpu: bool, has_one_field: bool) -> Peer {
        let mut schema = Schema::builder();
        // No positions, as ours: nothing asks for neighbours.
        let words = TextFieldIndexing::default()
            .set_tokenizer("folded")
            .set_index_option(IndexRecordOption::WithFreqs);
        let options = TextOptions::default().set_indexing_options(words);
        let id = schema.add_text_field("id", STORED);
        let kind = schema.add_text_field("type", STRING);
        let names = if has_one_field { &["texts"][..] } else { &TEXTS[..] };
        let texts = names
            .iter()
            .map(|name| schema.add_text_field(name, options.clone()))
            .collect();
        Peer {
            folder: folder.into(),
            is_cpu,
            has_one_field,
            id,
            kind,
            texts,
            schema: schema.build(),
        }
    }

    fn build(&self, input: &mut Input) -> tantivy::Result<()> {
        std::fs::create_dir_all(&self.folder)?;
        let index = Index::create_in_dir(&self.folder, self.schema.clone())?;
        index.tokenizers().register("folded", folded());
        let cpu_before = process_cpu_nanos();
        let mut nanos = 0;
        let mut writer: IndexWriter = index.writer_with_num_threads(THREADS, WRITER_BYTES)?;
        let mut batch = Vec::new();
        loop {
            let line = input.next().expect("finish")?;
            if line == "finish" {
                break;
            }
            if line != "add" {
                batch.push(line);
                continue;
            }
            let start = Instant::now();
            for line in batch.drain(..) {
                writer.add_document(self.to_document(&line))?;
            }
            nanos += start.elapsed().as_nanos();
            // The next documents are made only now, or making them would take time from Tantivy.
            println!("added");
        }
        let start = Instant::now();
        writer.commit()?;
        writer.wait_merging_threads()?;
        let mut writer: IndexWriter = index.writer_with_num_threads(1, WRITER_BYTES)?;
        let segments = index.searchable_segment_ids()?;
        if segments.len() > 1 {
            writer.merge(&segments).wait()?;
        }
        writer.garbage_collect_files().wait()?;
        writer.wait_merging_threads()?;
        nanos += start.elapsed().as_nanos();
        // What reads the lines between the batches is in the second number.
        println!(
            "{} {}",
            nanos as f64 / 1e9,
            (process_cpu_nanos() - cpu_before) as f64 / 1e9
        );
        Ok(())
    }

    fn to_document(&self, line: &str) -> TantivyDocument {
        let values: Vec<&str> = line.split('\t').collect();
        let mut document = TantivyDocument::default();
        document.add_text(self.id, values[0]);
        document.add_text(self.kind, values[TYPE_COLUMN]);
        for (at, text) in values[1..=TEXTS.len()].iter().enumerate() {
            document.add_text(self.texts[if self.has_one_field { 0 } else { at }], text);
        }
        document
    }

    /// First the bytes of the index; then of each pass nanoseconds and total of each query, and how
    /// many hits there were on the whole.
    fn answer(&self, input: &mut Input) -> tantivy::Result<()> {
        let index = Index::open_in_dir(&self.folder)?;
        index.tokenizers().register("folded", folded());
        let bytes: u64 = std::fs::read_dir(&self.folder)?
            .map(|file| Ok(file?.metadata()?.len()))
            .sum::<io::Result<u64>>()?;
        println!("{bytes}");
        let searcher = index.reader()?.searcher();
        let mut queries: Vec<Vec<String>> = Vec::new();
        for line in input {
            let line = line?;
            let query: Vec<String> = line.split('\t').map(String::from).collect();
            if query.len() > 1 {
                queries.push(query);
                continue;
            }
            let mut out = String::new();
            let mut hits = 0;
            for asked in &queries {
                let start = self.read_clock();
                let (found, total) = self.search(&searcher, asked)?;
                for (_, address) in found {
                    let document: TantivyDocument = searcher.doc(address)?;
                    hits += usize::from(document.get_first(self.id).and_then(|id| id.as_str()).is_some());
                }
                out.push_str(&format!("{}:{} ", self.read_clock() - start, total));
            }
            println!("{out}{hits}");
            io::stdout().flush()?;
            queries.clear();
        }
        Ok(())
    }

    /// Totals are exact.
    fn search(&self, searcher: &Searcher, asked: &[String]) -> tantivy::Result<(Vec<(Score, DocAddress)>, usize)> {
        let kind = TermQuery::new(Term::from_field_text(self.kind, &asked[1]), IndexRecordOption::Basic);
        let query = BooleanQuery::intersection(vec![
            self.words_of(&asked[0], &asked[2].split(' ').collect::<Vec<_>>()),
            Box::new(ConstScoreQuery::new(Box::new(kind), 0.0)),
        ]);
        searcher.search(&query, &(TopDocs::with_limit(HITS), Count))
    }

    /// Each word counts by the best of the fields that have it.
    fn words_of(&self, kind: &str, words: &[&str]) -> Box<dyn Query> {
        let occur = if kind == "all-terms" {
            Occur::Must
        } else {
            Occur::Should
        };
        let each = words.iter().enumerate().map(|(at, word)| {
            let is_last = at == words.len() - 1;
            let mut fields = self.texts.iter().zip(BOOSTS).map(|(field, boost)| {
                let term = Term::from_field_text(*field, word);
                let query: Box<dyn Query> = match kind {
                    "prefix" if is_last => Box::new(FuzzyTermQuery::new_prefix(term, 0, true)),
                    "typo" => Box::new(FuzzyTermQuery::new(term, 1, true)),
                    _ => Box::new(TermQuery::new(term, IndexRecordOption::WithFreqs)),
                };
                Box::new(BoostQuery::new(query, boost)) as Box<dyn Query>
            });
            let query = if self.has_one_field {
                fields.next().expect("a field")
            } else {
                Box::new(DisjunctionMaxQuery::new(fields.collect()))
            };
            (occur, query)
        });
        Box::new(BooleanQuery::new(each.collect()))
    }

    fn read_clock(&self) -> u128 {
        if self.is_cpu {
            cpu_nanos(libc::CLOCK_THREAD_CPUTIME_ID)
        } else {
            cpu_nanos(libc::CLOCK_MONOTONIC)
        }
    }
}

fn folded() -> TextAnalyzer {
    TextAnalyzer::builder(SimpleTokenizer::default())
        .filter(LowerCaser)
        .filter(AsciiFoldingFilter)
        .build()
}

fn process_cpu_nanos() -> u128 {
    cpu_nanos(libc::CLOCK_PROCESS_CPUTIME_ID)
}

fn cpu_nanos(clock: libc::clockid_t) -> u128 {
    let mut time = libc::timespec { tv_sec: 0, tv_nsec: 0 };
    // SAFETY: the clock is one of the constants above, and the structure is ours.
    unsafe { libc::clock_gettime(clock, &mut time) };
    time.tv_sec as u128 * 1_000_000_000 + time.tv_nsec as u128
}
