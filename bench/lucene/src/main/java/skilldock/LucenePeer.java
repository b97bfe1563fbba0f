package skilldock;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.apache.lucene.analysis.Analyzer;
import org.apache.lucene.analysis.custom.CustomAnalyzer;
import org.apache.lucene.document.Document;
import org.apache.lucene.document.Field;
import org.apache.lucene.document.FieldType;
import org.apache.lucene.document.StoredField;
import org.apache.lucene.document.StringField;
import org.apache.lucene.facet.DrillDownQuery;
import org.apache.lucene.facet.DrillSideways;
import org.apache.lucene.facet.FacetsConfig;
import org.apache.lucene.facet.sortedset.DefaultSortedSetDocValuesReaderState;
import org.apache.lucene.facet.sortedset.SortedSetDocValuesFacetField;
import org.apache.lucene.facet.sortedset.SortedSetDocValuesReaderState;
import org.apache.lucene.index.DirectoryReader;
import org.apache.lucene.index.IndexOptions;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.index.IndexWriterConfig;
import org.apache.lucene.index.StoredFields;
import org.apache.lucene.index.Term;
import org.apache.lucene.search.BooleanClause.Occur;
import org.apache.lucene.search.BooleanQuery;
import org.apache.lucene.search.BoostQuery;
import org.apache.lucene.search.DisjunctionMaxQuery;
import org.apache.lucene.search.FuzzyQuery;
import org.apache.lucene.search.IndexSearcher;
import org.apache.lucene.search.PrefixQuery;
import org.apache.lucene.search.Query;
import org.apache.lucene.search.TermQuery;
import org.apache.lucene.search.TopDocs;
import org.apache.lucene.search.TopScoreDocCollectorManager;
import org.apache.lucene.store.MMapDirectory;

/** Lucene in a process of its own, which keeps its own clock: what lies between two processes is not measured.
 *  Lines of tabs come in: documents between `begin` and `finish`, `add` after each batch, then passes of queries, each ended by how they are answered. */
public final class LucenePeer {
  private static final String[] TEXTS = {"title", "keywords", "description", "publishers"};
  private static final float[] BOOSTS = {3, 2, 1, 1};
  private static final String[] FACETS = {"provider", "type", "bloom", "lang"};
  private static final int HITS = 10;
  private static final int THREADS = 2;
  /** Other words that a mistyped one may stand for; as many as ours takes. */
  private static final int MOST_TYPOS = 16;
  private static final FacetsConfig FACET_FIELDS = new FacetsConfig();

  private final BufferedReader in = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
  private final MMapDirectory directory;
  private final Analyzer analyzer;
  /** Whether times are of CPU; that of this thread, which does all of a search. */
  private final boolean isCpu;

  private LucenePeer(Path folder, boolean isCpu) throws IOException {
    this.isCpu = isCpu;
    directory = new MMapDirectory(folder);
    analyzer = CustomAnalyzer.builder().withTokenizer("standard").addTokenFilter("lowercase").addTokenFilter("asciiFolding").build();
  }

  public static void main(String[] arguments) throws Exception {
    LucenePeer peer = new LucenePeer(Files.createDirectories(Path.of(arguments[0])), arguments[1].equals("cpu"));
    if (peer.in.readLine().equals("begin")) peer.build();
    peer.answer();
  }

  private void build() throws Exception {
    IndexWriterConfig config = new IndexWriterConfig(analyzer).setRAMBufferSizeMB(512).setUseCompoundFile(false);
    long nanos = 0;
    long cpuBefore = cpuNanos();
    try (IndexWriter writer = new IndexWriter(directory, config)) {
      ExecutorService threads = Executors.newFixedThreadPool(THREADS);
      List<String> batch = new ArrayList<>();
      for (String line; !(line = in.readLine()).equals("finish"); ) {
        if (!line.equals("add")) {
          batch.add(line);
          continue;
        }
        long start = System.nanoTime();
        List<Future<?>> shares = new ArrayList<>();
        for (int t = 0; t < THREADS; t++) shares.add(threads.submit(add(writer, batch, t)));
        for (Future<?> share : shares) share.get();
        nanos += System.nanoTime() - start;
        batch.clear();
        // The next documents are made only now, or making them would take time from Lucene.
        System.out.println("added");
      }
      threads.shutdown();
      long start = System.nanoTime();
      writer.forceMerge(1);
      writer.commit();
      nanos += System.nanoTime() - start;
    }
    // What reads the lines between the batches is in the second number.
    System.out.println(nanos / 1e9 + " " + (cpuNanos() - cpuBefore) / 1e9);
  }

  private long readClock() {
    return isCpu ? ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime() : System.nanoTime();
  }

  private static long cpuNanos() {
    return ((com.sun.management.OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean()).getProcessCpuTime();
  }

  private Callable<Void> add(IndexWriter writer, List<String> lines, int share) {
    return () -> {
      for (int i = share; i < lines.size(); i += THREADS) writer.addDocument(FACET_FIELDS.build(toDocument(lines.get(i))));
      return null;
    };
  }

  /** No positions, as ours: nothing asks for neighbours. */
  private static final FieldType WORDS = new FieldType();
  static {
    WORDS.setTokenized(true);
    WORDS.setIndexOptions(IndexOptions.DOCS_AND_FREQS);
    WORDS.freeze();
  }

  private static Document toDocument(String line) {
    String[] values = line.split("\t", -1);
    Document document = new Document();
    document.add(new StoredField("id", values[0]));
    for (int i = 0; i < TEXTS.length; i++) document.add(new Field(TEXTS[i], values[1 + i], WORDS));
    for (int i = 0; i < FACETS.length; i++) document.add(new SortedSetDocValuesFacetField(FACETS[i], values[5 + i]));
    document.add(new StringField("type", values[6], Field.Store.NO));
    return document;
  }

  /** First the bytes of the index; then of each pass the nanoseconds and total of each query, and
   *  the number of all hits. */
  private void answer() throws Exception {
    try (DirectoryReader reader = DirectoryReader.open(directory)) {
      long bytes = 0;
      for (String file : directory.listAll()) bytes += directory.fileLength(file);
      System.out.println(bytes);
      IndexSearcher searcher = new IndexSearcher(reader);
      SortedSetDocValuesReaderState state = new DefaultSortedSetDocValuesReaderState(reader, FACET_FIELDS);
      DrillSideways sideways = new DrillSideways(searcher, FACET_FIELDS, state);
      List<String[]> queries = new ArrayList<>();
      for (String line; (line = in.readLine()) != null; ) {
        String[] query = line.split("\t");
        if (query.length > 1) {
          queries.add(query);
          continue;
        }
        StringBuilder times = new StringBuilder();
        long hits = 0;
        for (String[] asked : queries) {
          long start = readClock();
          TopDocs found = search(searcher, sideways, asked, line);
          StoredFields stored = searcher.storedFields();
          for (var hit : found.scoreDocs) if (stored.document(hit.doc).get("id") != null) hits++;
          times.append(readClock() - start).append(':').append(found.totalHits.value).append(' ');
        }
        System.out.println(times.append(hits));
        queries.clear();
      }
    }
  }

  /** @param how `cut` where totals may be cut short, `exact`, or `facets`, where totals are exact too */
  private static TopDocs search(IndexSearcher searcher, DrillSideways sideways, String[] asked, String how) throws IOException {
    Query words = wordsOf(asked[0], asked[2].split(" "));
    if (how.equals("facets")) {
      DrillDownQuery query = new DrillDownQuery(FACET_FIELDS, words);
      query.add("type", asked[1]);
      DrillSideways.DrillSidewaysResult result = sideways.search(query, HITS);
      result.facets.getAllDims(50);
      return result.hits;
    }
    Query query = new BooleanQuery.Builder().add(words, Occur.MUST).add(new TermQuery(new Term("type", asked[1])), Occur.FILTER).build();
    int counted = how.equals("exact") ? Integer.MAX_VALUE : 1000;
    return searcher.search(query, new TopScoreDocCollectorManager(HITS, counted));
  }

  /** Each word counts by the best of the fields that have it. */
  private static Query wordsOf(String kind, String[] words) {
    BooleanQuery.Builder all = new BooleanQuery.Builder();
    for (int w = 0; w < words.length; w++) {
      List<Query> fields = new ArrayList<>();
      for (int f = 0; f < TEXTS.length; f++) {
        Term term = new Term(TEXTS[f], words[w]);
        Query query = kind.equals("prefix") && w == words.length - 1 ? new PrefixQuery(term)
            : kind.equals("typo") ? new FuzzyQuery(term, 1, 0, MOST_TYPOS, true)
            : new TermQuery(term);
        fields.add(new BoostQuery(query, BOOSTS[f]));
      }
      all.add(new DisjunctionMaxQuery(fields, 0), kind.equals("all-terms") ? Occur.MUST : Occur.SHOULD);
    }
    return all.build();
  }
}
