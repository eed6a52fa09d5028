using System.Data.Common;
using System.Net.Sockets;

namespace ApexShop.Errors;

/// <summary>Which exceptions are failures of the database.</summary>
public static class DatabaseFailure
{
    extension(Exception failure)
    {
        /// <summary>
        /// Whether a statement or its connection failed. The driver does not wrap the last two, which are thrown when
        /// the address of the server is not resolved, or not in time.
        /// </summary>
        public bool IsDatabaseFailure => failure is DbException or SocketException or TimeoutException;
    }
}
