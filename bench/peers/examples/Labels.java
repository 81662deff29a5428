// Adaptive random forest, every label given: java Labels stream.csv levels
import com.yahoo.labs.samoa.instances.Attribute;
import com.yahoo.labs.samoa.instances.DenseInstance;
import com.yahoo.labs.samoa.instances.Instance;
import com.yahoo.labs.samoa.instances.Instances;
import com.yahoo.labs.samoa.instances.InstancesHeader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import moa.classifiers.meta.AdaptiveRandomForest;
import moa.core.Utils;

public class Labels {
  public static void main(String[] args) throws Exception {
    List<String> lines = Files.readAllLines(Path.of(args[0]));
    int channels = lines.get(0).split(",").length - 1;
    List<Attribute> attributes = new ArrayList<>();
    for (int i = 0; i < channels; i++) attributes.add(new Attribute("x" + i));
    List<String> levels = IntStream.range(0, Integer.parseInt(args[1])).mapToObj(String::valueOf).toList();
    attributes.add(new Attribute("level", levels));
    InstancesHeader header = new InstancesHeader(new Instances("stream", attributes, 0));
    header.setClassIndex(channels);
    AdaptiveRandomForest forest = new AdaptiveRandomForest();
    forest.ensembleSizeOption.setValue(10);
    forest.prepareForUse();
    forest.setModelContext(header);
    int right = 0;
    for (String line : lines) {
      double[] row = Arrays.stream(line.split(",")).mapToDouble(Double::parseDouble).toArray();
      Instance sample = new DenseInstance(1, row);
      sample.setDataset(header);
      if (Utils.maxIndex(forest.getVotesForInstance(sample)) == (int) sample.classValue()) right++;
      forest.trainOnInstance(sample);
    }
    System.out.println((double) right / lines.size());
  }
}
