# Learns from right and wrong alone, by LinUCB: python river_right_wrong.py stream.csv levels
import csv
import sys

from river import bandit, preprocessing

levels = list(range(int(sys.argv[2])))
policy = bandit.LinUCBDisjoint(alpha=1, seed=1)
scaler = preprocessing.StandardScaler()
right = total = 0
with open(sys.argv[1]) as file:
    for row in csv.reader(file):
        *x, truth = map(float, row)
        x = dict(enumerate(x))
        scaler.learn_one(x)
        x = scaler.transform_one(x)
        level = policy.pull(levels, context=x)
        policy.update(level, x, int(level == truth))
        right += level == truth
        total += 1
print(right / total)
