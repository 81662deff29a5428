import com.yahoo.labs.samoa.instances.Attribute;
import com.yahoo.labs.samoa.instances.DenseInstance;
import com.yahoo.labs.samoa.instances.Instance;
import com.yahoo.labs.samoa.instances.Instances;
import com.yahoo.labs.samoa.instances.InstancesHeader;
import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.lang.ref.Reference;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import moa.classifiers.AbstractClassifier;
import moa.classifiers.core.driftdetection.ADWINChangeDetector;
import moa.classifiers.core.driftdetection.AbstractChangeDetector;
import moa.classifiers.core.driftdetection.HDDM_A_Test;
import moa.classifiers.core.driftdetection.HDDM_W_Test;
import moa.classifiers.meta.AdaptiveRandomForest;
import moa.classifiers.meta.StreamingRandomPatches;
import moa.classifiers.trees.HoeffdingTree;
import moa.core.Globals;
import moa.core.Utils;

/**
 * Worker for MOA: reads `<task> <csv> <samples> <seed>` line by line, answers each with one line of JSON. Models have MOA's
 * defaults but for ten members, and for the forest the square root of the channels, as in River and ours.
 */
public final class MoaWorker {
  private static final Map<Path, List<Instance>> STREAMS = new HashMap<>();
  private static final int KEPT = 10;

  private record Run(double seconds, int right) {}

  public static void main(String[] args) throws Exception {
    String version = Globals.versionString.trim();
    System.out.printf("{\"Java\":\"%s\",\"MOA\":\"%s\"}%n", System.getProperty("java.version"), version);
    BufferedReader requests = new BufferedReader(new InputStreamReader(System.in));
    for (String line = requests.readLine(); line != null; line = requests.readLine()) {
      String[] words = line.trim().split(" ");
      boolean memory = words[0].equals("memory");
      String[] rest = memory ? Arrays.copyOfRange(words, 1, words.length) : words;
      List<Instance> stream = stream(Path.of(rest[1]));
      List<Instance> samples = stream.subList(0, Math.min(stream.size(), Integer.parseInt(rest[2])));
      int seed = Integer.parseInt(rest[3]);
      if (memory) System.out.printf("{\"bytes\":%d}%n", bytes(rest[0], samples, seed));
      else if (rest[0].equals("adwin") || rest[0].startsWith("hddm")) detect(rest[0], samples);
      else learn(rest[0], samples, seed);
    }
  }

  private static AbstractClassifier model(String name, int seed) {
    AbstractClassifier model;
    switch (name) {
      case "tree" -> model = new HoeffdingTree();
      case "arf" -> {
        AdaptiveRandomForest forest = new AdaptiveRandomForest();
        forest.ensembleSizeOption.setValue(10);
        forest.mFeaturesModeOption.setChosenLabel("sqrt(M)+1");
        model = forest;
      }
      case "srp" -> {
        StreamingRandomPatches patches = new StreamingRandomPatches();
        patches.ensembleSizeOption.setValue(10);
        model = patches;
      }
      default -> throw new IllegalArgumentException(name);
    }
    model.setRandomSeed(seed);
    return model;
  }

  private static AbstractChangeDetector detector(String name) {
    return switch (name) {
      case "adwin" -> new ADWINChangeDetector();
      case "hddm-a" -> new HDDM_A_Test();
      case "hddm-w" -> new HDDM_W_Test();
      default -> throw new IllegalArgumentException(name);
    };
  }

  private static void learn(String name, List<Instance> samples, int seed) {
    AbstractClassifier model = prepared(name, samples, seed);
    Run run = train(model, samples);
    double accuracy = (double) run.right() / samples.size();
    System.out.printf(
        "{\"seconds\":%s,\"samples\":%d,\"accuracy\":%s}%n", run.seconds(), samples.size(), accuracy);
  }

  private static AbstractClassifier prepared(String name, List<Instance> samples, int seed) {
    AbstractClassifier model = model(name, seed);
    model.prepareForUse();
    model.setModelContext((InstancesHeader) samples.get(0).dataset());
    return model;
  }

  private static Run train(AbstractClassifier model, List<Instance> samples) {
    int right = 0;
    long start = System.nanoTime();
    for (Instance sample : samples) {
      if (Utils.maxIndex(model.getVotesForInstance(sample)) == (int) sample.classValue()) right++;
      model.trainOnInstance(sample);
    }
    return new Run((System.nanoTime() - start) / 1e9, right);
  }

  private static void detect(String name, List<Instance> samples) {
    double[] values = samples.stream().mapToDouble(Instance::classValue).toArray();
    AbstractChangeDetector detector = detector(name);
    detector.prepareForUse();
    int drifts = 0;
    long start = System.nanoTime();
    for (double value : values) {
      detector.input(value);
      if (detector.getChange()) drifts++;
    }
    double seconds = (System.nanoTime() - start) / 1e9;
    System.out.printf("{\"seconds\":%s,\"samples\":%d,\"drifts\":%d}%n", seconds, values.length, drifts);
  }

  /** Used heap per model after collection, of several kept at once. */
  private static long bytes(String name, List<Instance> samples, int seed) {
    train(prepared(name, samples, seed), samples);
    long before = used();
    List<AbstractClassifier> kept = new ArrayList<>();
    for (int i = 0; i < KEPT; i++) {
      AbstractClassifier model = prepared(name, samples, seed);
      train(model, samples);
      kept.add(model);
    }
    long grown = used() - before;
    Reference.reachabilityFence(kept);
    return grown / KEPT;
  }

  private static long used() {
    for (int i = 0; i < 3; i++) System.gc();
    Runtime runtime = Runtime.getRuntime();
    return runtime.totalMemory() - runtime.freeMemory();
  }

  /** The rows of an exported stream: channels, then the level. */
  private static List<Instance> stream(Path path) throws Exception {
    List<Instance> known = STREAMS.get(path);
    if (known != null) return known;
    List<double[]> rows = new ArrayList<>();
    for (String line : Files.readAllLines(path)) {
      rows.add(Arrays.stream(line.split(",")).mapToDouble(Double::parseDouble).toArray());
    }
    int width = rows.get(0).length;
    int levels = 1 + (int) rows.stream().mapToDouble(row -> row[width - 1]).max().orElseThrow();
    List<Attribute> attributes = new ArrayList<>();
    for (int i = 0; i < width - 1; i++) attributes.add(new Attribute("x" + i));
    List<String> names = new ArrayList<>();
    for (int k = 0; k < levels; k++) names.add(String.valueOf(k));
    attributes.add(new Attribute("level", names));
    InstancesHeader header = new InstancesHeader(new Instances("stream", attributes, 0));
    header.setClassIndex(width - 1);
    List<Instance> instances = new ArrayList<>();
    for (double[] row : rows) {
      DenseInstance instance = new DenseInstance(1, row);
      instance.setDataset(header);
      instances.add(instance);
    }
    STREAMS.put(path, instances);
    return instances;
  }
}
