# Learns from right and wrong alone: python vw_right_wrong.py stream.csv levels
import csv
import random
import sys

from vowpalwabbit import Workspace

levels = int(sys.argv[2])
model = Workspace(f"--cb_explore {levels} --bag 5 --quiet")
right = total = 0
with open(sys.argv[1]) as file:
    for row in csv.reader(file):
        *x, truth = row
        features = " ".join(f"{i}:{value}" for i, value in enumerate(x))
        probabilities = model.predict(f"| {features}")
        level = random.choices(range(levels), probabilities)[0]
        cost = int(level != int(truth))
        model.learn(f"{level + 1}:{cost}:{probabilities[level]} | {features}")
        right += 1 - cost
        total += 1
print(right / total)
