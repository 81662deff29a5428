# Adaptive random forest, every label given: python river_labels.py stream.csv
import csv
import sys

from river import forest, metrics

model = forest.ARFClassifier(n_models=10, seed=1)
accuracy = metrics.Accuracy()
with open(sys.argv[1]) as file:
    for row in csv.reader(file):
        *x, y = map(float, row)
        x = dict(enumerate(x))
        accuracy.update(y, model.predict_one(x))
        model.learn_one(x, y)
print(accuracy.get())
