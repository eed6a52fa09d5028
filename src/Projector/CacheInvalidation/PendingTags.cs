using ApexShop.Caching;
using Npgsql;

namespace ApexShop.Projector.CacheInvalidation;

/// <summary>Tags of committed changes, stored in the database until they are raised.</summary>
/// <param name="Tags">The tags.</param>
/// <param name="Since">When the oldest of them was stored; null when there is none.</param>
/// <param name="Version">
/// The row's xmin, which distinguishes tags that this process has raised from those that another one stored meanwhile.
/// </param>
/// <param name="At">
/// When they were stored, or read under the row's lock, by the database's clock: the tags are those of all changes
/// before.
/// </param>
internal sealed record PendingTags(
    IReadOnlyCollection<string> Tags, DateTime? Since = null, uint Version = 0, DateTime At = default)
{
    public const string SelectSql =
        "SELECT pending_tags, pending_since, xmin, clock_timestamp() FROM read.projection_state";

    /// <summary>Its parameters are <see cref="Tags"/> and <see cref="SinceOrNever"/>.</summary>
    public const string UpdateSql = """
        UPDATE read.projection_state SET pending_tags = $1, pending_since = least($2, clock_timestamp())
        RETURNING pending_since, xmin, clock_timestamp()
        """;

    /// <summary>More tags become the one that every cached response has.</summary>
    public const int Limit = 10_000;

    private static readonly DateTime never = DateTime.SpecifyKind(DateTime.MaxValue, DateTimeKind.Utc);

    public static PendingTags None { get; } = new([]);

    public DateTime SinceOrNever => Since ?? never;

    public static PendingTags From(NpgsqlDataReader row)
    {
        var tags = row.GetFieldValue<string[]>(0);
        DateTime? since = tags.Length == 0 || row.IsDBNull(1) ? null : row.GetDateTime(1);
        return new(tags, since, row.GetFieldValue<uint>(2), row.GetDateTime(3));
    }

    /// <summary>The same tags, as <see cref="UpdateSql"/> has stored them.</summary>
    public PendingTags Stored(NpgsqlDataReader row) =>
        this with { Since = row.GetDateTime(0), Version = row.GetFieldValue<uint>(1), At = row.GetDateTime(2) };

    /// <summary>These and the new tags; too many become the one tag that every cached response has.</summary>
    public PendingTags With(IReadOnlySet<string> invalidations)
    {
        var union = invalidations.Union(Tags).ToArray();
        var isTooMany = union.Length > Limit || union.Contains(CacheTags.Everything);
        return new(isTooMany ? [CacheTags.Everything] : union, Since);
    }

    /// <summary>The tags that are left after all changes before <paramref name="raised"/> were raised.</summary>
    public PendingTags After(PendingTags raised)
    {
        if (raised.Version == Version) return this with { Tags = [], Since = null };
        // The tags of the earlier changes cannot be separated from the others, but their age is known.
        var isLater = Since < raised.At && raised.At <= At;
        return isLater ? this with { Since = raised.At } : this;
    }
}
