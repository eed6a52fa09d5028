using System.Buffers;

namespace ApexShop.Commands.Api.Bulk;

/// <summary>What the received bytes begin with.</summary>
internal enum SplitResult
{
    Item,
    Incomplete,
    End,
    NotAList,
}

/// <summary>Splits a list into its items; malformed JSON causes a JsonException with the position.</summary>
internal interface IItemSplitter
{
    /// <summary>The number of lines before the text whose lines the exception counts.</summary>
    long LinesBefore { get; }

    /// <summary>
    /// The bytes of the longest part that the last call read. A part is a line of NDJSON; of an array it is an item
    /// with the separator and the white space before it, or what follows the last item. So it does not depend on the
    /// pieces in which the bytes arrived.
    /// </summary>
    long Size { get; }

    /// <summary>Removes the next item, and the separator before it, from the received bytes.</summary>
    SplitResult Next(ref ReadOnlySequence<byte> received, bool isAll, out ReadOnlySequence<byte> item);
}
