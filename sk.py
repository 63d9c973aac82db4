exec(open('/tmp/notes/u10.py').read().split('for _ in range(3)')[0])
for _ in range(3):print("%.0f"%t(lambda: metrics.confusion_matrix(a,b),1), "%.1f"%t(lambda: ix.evaluate(a,b).confusion,5), "%.2f"%t(lambda:(a.view('u8').max(),b.view('u8').max()),5))
