namespace ApexShop.Load;

/// <summary>Statistical figures of a series.</summary>
internal static class Statistics
{
    /// <summary>The middle value; the mean of the two middle ones when there is none.</summary>
    public static double Median(IEnumerable<double> values)
    {
        var sorted = Sorted(values);
        var middle = sorted.Length / 2;
        return sorted.Length % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
    }

    /// <summary>The smallest value that at least <paramref name="share"/> of the values do not exceed.</summary>
    public static double Percentile(IEnumerable<double> values, double share)
    {
        var sorted = Sorted(values);
        return sorted[Math.Clamp((int)Math.Ceiling(share * sorted.Length) - 1, 0, sorted.Length - 1)];
    }

    /// <summary>
    /// Median of each quarter of a series in time; what does not divide by four is left out at the start.
    /// </summary>
    public static double[] QuarterMedians(IReadOnlyList<double> series)
    {
        var quarter = series.Count / 4;
        if (quarter == 0)
            throw new ArgumentException("A series of fewer than four values has no quarters.", nameof(series));
        return [.. series.Skip(series.Count % 4).Chunk(quarter).Select(Median)];
    }

    /// <summary>The growth from one value to the next: the slope of the least squares line.</summary>
    public static double Slope(IReadOnlyList<double> series)
    {
        if (series.Count < 2) throw new ArgumentException("A slope needs two values.", nameof(series));
        var (middle, mean) = ((series.Count - 1) / 2.0, series.Average());
        var (rise, run) = (0.0, 0.0);
        for (var i = 0; i < series.Count; i++)
        {
            rise += (i - middle) * (series[i] - mean);
            run += (i - middle) * (i - middle);
        }

        return rise / run;
    }

    private static double[] Sorted(IEnumerable<double> values)
    {
        double[] sorted = [.. values.Order()];
        return sorted.Length > 0 ? sorted : throw new ArgumentException("There are no values.", nameof(values));
    }
}
