// Every file that names views: threads that only know a view by its name import this.
import './answered.ts'
import './assessed-sample.ts'
import './clone.ts'
import './figures.ts'
import './model.ts'
import './progress.ts'
import './queue.ts'
import './system.ts'
